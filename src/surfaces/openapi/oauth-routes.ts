// The addresses of the authorization server for OAuth clients.
import { z } from '#core/action.ts'
import { anyObject, type Described, list, type Method, object, text } from './described.ts'

const page = 'text/html'
const resource = object({
  resource: text,
  authorization_servers: list(text),
  scopes_supported: list(text),
})
const authorization = z.object({
  response_type: z.string(),
  client_id: z.string(),
  redirect_uri: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.string(),
  scope: z.string().optional(),
  state: z.string().optional(),
  resource: z.string().optional(),
})
const metadata = object({ redirect_uris: list(text) })

export const oauthRoutes: Record<string, Partial<Record<Method, Described>>> = {
  '/.well-known/oauth-authorization-server': {
    get: { summary: 'Metadata of the authorization server (RFC 8414).', answer: anyObject },
  },
  '/.well-known/oauth-protected-resource': {
    get: { summary: 'Metadata of the gateway as a resource (RFC 9728).', answer: resource },
  },
  '/.well-known/oauth-protected-resource/mcp': {
    get: { summary: 'Metadata of the MCP endpoint as a resource (RFC 9728).', answer: resource },
  },
  '/oauth/register': {
    post: {
      summary: 'Register a public client (RFC 7591). Unused clients are forgotten after a day.',
      body: metadata,
      status: 201,
      answer: object({ client_id: text, redirect_uris: list(text) }),
      errors: ['bad_request'],
    },
  },
  '/oauth/authorize': {
    get: {
      summary: 'Ask a person to let a client act for the account. PKCE with S256 is required.',
      query: authorization,
      status: 303,
      type: page,
      errors: ['bad_request'],
    },
  },
  '/oauth/authorize/{uid}': {
    get: {
      summary: 'Lead back to the client, once the person has decided.',
      status: 303,
      type: page,
      errors: ['bad_request'],
    },
  },
  '/oauth/consent/{uid}': {
    get: {
      summary: 'The page on which the person decides.',
      type: page,
      errors: ['bad_request', 'forbidden'],
    },
    post: {
      summary: 'The decision of the person, with the limits that they choose.',
      form: true,
      body: object({ csrf: text, decision: { enum: ['allow', 'deny'] } }),
      status: 303,
      type: page,
      errors: ['bad_request', 'forbidden'],
    },
  },
  '/oauth/token': {
    post: {
      summary: 'Exchange a code or a refresh token for an access token.',
      form: true,
      body: object({ grant_type: { enum: ['authorization_code', 'refresh_token'] } }),
      answer: object({ access_token: text, token_type: text, scope: text }),
      errors: ['bad_request'],
    },
  },
  '/oauth/revoke': {
    post: {
      summary: 'End an access token, or with a refresh token the whole connection (RFC 7009).',
      form: true,
      body: object({ token: text, client_id: text }),
      type: 'text/plain',
      errors: ['bad_request'],
    },
  },
}
