// Tells a client without a valid credential where it gets one. Sources: RFC 6750 and RFC 9728, section 5.1.
import { originOf, resourceMetadataPath } from '#accounts/oauth/endpoints.ts'

/** The value of WWW-Authenticate for a request to this path. */
export type BearerChallenge = (request: {
  readonly path: string
  readonly hasCredential: boolean
}) => string

/** Resources with metadata of their own, besides the whole gateway. */
const resourcePaths: readonly string[] = ['/mcp']

export function createBearerChallenge(dependencies: {
  baseUrl: () => string
  scope: string
}): BearerChallenge {
  return ({ path, hasCredential }) => {
    const own = resourcePaths.includes(path) ? path : ''
    const metadata = originOf(dependencies.baseUrl()) + resourceMetadataPath + own
    const error = hasCredential ? ', error="invalid_token"' : ''
    return `Bearer resource_metadata="${metadata}", scope="${dependencies.scope}"${error}`
  }
}
