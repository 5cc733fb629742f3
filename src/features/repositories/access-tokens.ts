// The password in the address of a repository: what its bearer may do, and until when. It is signed, so nothing is stored; with
// its repository it ends.
import type { UrlSigner } from '#core/ports.ts'

export const scopes = ['read', 'write'] as const
export type Scope = (typeof scopes)[number]

export interface AccessTokens {
  /** A token for one repository. Letters, digits and `.`, `-`, `_`, so it needs no escapes in an address. */
  issue(repositoryId: string, scope: Scope, expiresAtMs: number): string
  /** The scope of a token for this repository that has not expired. */
  read(repositoryId: string, token: string): Scope | undefined
}

const purposeOf = (scope: Scope) => `repository ${scope}`

export function createAccessTokens({ signer }: { readonly signer: UrlSigner }): AccessTokens {
  return {
    issue(repositoryId, scope, expiresAtMs) {
      const grant = new URLSearchParams(signer.sign(purposeOf(scope), repositoryId, expiresAtMs))
      return [scope, grant.get('exp'), grant.get('sig')].join('.')
    },
    read(repositoryId, token) {
      const [named, exp, sig] = token.split('.')
      const scope = scopes.find((each) => each === named)
      if (scope === undefined) return undefined
      return signer.accepts(purposeOf(scope), repositoryId, { exp, sig }) ? scope : undefined
    },
  }
}

/** The address that `git clone` takes. */
export function cloneAddress(
  { baseUrl, tokens }: { readonly baseUrl: () => string; readonly tokens: AccessTokens },
  grant: { readonly id: string; readonly scope: Scope; readonly expiresAtMs: number },
): string {
  const address = new URL(`${baseUrl()}/git/${grant.id}.git`)
  address.username = 't'
  address.password = tokens.issue(grant.id, grant.scope, grant.expiresAtMs)
  return address.href
}

/** The password of an `Authorization: Basic` header. */
export function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+) *$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const decoded = Buffer.from(encoded, 'base64').toString()
  const colon = decoded.indexOf(':')
  return colon === -1 ? undefined : decoded.slice(colon + 1)
}
