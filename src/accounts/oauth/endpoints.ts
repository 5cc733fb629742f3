// The addresses of the authorization server, and what it says of itself. Sources: RFC 8414, RFC 9728, RFC 9207, and the
// draft for client id metadata documents.

export const endpoints = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  consent: '/oauth/consent',
} as const

/** The longest that a client stays connected. */
export const connectionDays = 365

export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

export function describeServer(baseUrl: string, scope: string) {
  const issuer = originOf(baseUrl)
  return {
    issuer,
    authorization_endpoint: issuer + endpoints.authorization,
    token_endpoint: issuer + endpoints.token,
    registration_endpoint: issuer + endpoints.registration,
    revocation_endpoint: issuer + endpoints.revocation,
    scopes_supported: [scope],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${issuer}/docs/use/oauth`,
  }
}

/** `path` is that of the resource: `/mcp`, or nothing for the whole gateway. */
export function describeResource(baseUrl: string, scope: string, path: string) {
  const issuer = originOf(baseUrl)
  return {
    resource: issuer + path,
    authorization_servers: [issuer],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Tollway',
    resource_documentation: `${issuer}/docs/use`,
  }
}

/** The address of a gateway without a slash at its end, which is the issuer too. */
export const originOf = (baseUrl: string) => new URL(baseUrl).origin
