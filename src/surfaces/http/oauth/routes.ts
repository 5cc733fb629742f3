// The doors of the authorization server: metadata, endpoints of clients, and the page on which a person decides.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AttemptLimit } from '#accounts/attempts.ts'
import type { OAuthRequest } from '#accounts/oauth/authorization-server.ts'
import { readClientMetadata } from '#accounts/oauth/clients.ts'
import {
  describeResource,
  describeServer,
  resourceMetadataPath,
} from '#accounts/oauth/endpoints.ts'
import { z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { sendGuardedPage } from '../../doors/page.ts'
import { networkOf, sourceOf } from '../../doors/rate-limit.ts'
import { defineRoute } from '../../doors/route.ts'
import { anyObject, html, list, object, text } from '../../doors/shapes.ts'
import { consentProblemPage } from '../pages/consent.ts'
import { addConsentRoutes } from './consent.ts'
import { type OAuthDependencies, oauthRequestOf } from './oauth-request.ts'

const hourSeconds = 3_600
const registrationsPerHour = 30
const registrationsOfSource: AttemptLimit = {
  name: 'registrations of a source',
  attemptsMax: registrationsPerHour,
  windowSeconds: hourSeconds,
  message: `At most ${registrationsPerHour} clients an hour register from one address. Use the client that you have registered.`,
}
const registrationsOfNetworkPerHour = 60
const registrationsOfNetwork: AttemptLimit = {
  name: 'registrations of a network',
  attemptsMax: registrationsOfNetworkPerHour,
  windowSeconds: hourSeconds,
  message: `At most ${registrationsOfNetworkPerHour} clients an hour register from one network. Use the client that you have registered, or a client id metadata document.`,
}
/** A client id that is an address is fetched, which costs more than other requests. */
const documentPoints = 5

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

export const serverMetadata = defineRoute({
  method: 'get',
  path: '/.well-known/oauth-authorization-server',
  summary: 'Metadata of the authorization server (RFC 8414).',
  answer: anyObject,
})
export const gatewayMetadata = defineRoute({
  method: 'get',
  path: '/.well-known/oauth-protected-resource',
  summary: 'Metadata of the gateway as a resource (RFC 9728).',
  answer: resource,
})
export const mcpMetadata = defineRoute({
  method: 'get',
  path: '/.well-known/oauth-protected-resource/mcp',
  summary: 'Metadata of the MCP endpoint as a resource (RFC 9728).',
  answer: resource,
})
export const registerClient = defineRoute({
  method: 'post',
  path: '/oauth/register',
  summary: 'Register a public client (RFC 7591). Unused clients are forgotten after a day.',
  body: metadata,
  status: 201,
  answer: object({ client_id: text, redirect_uris: list(text) }),
  errors: ['bad_request'],
})
export const authorize = defineRoute({
  method: 'get',
  path: '/oauth/authorize',
  checksInput: true,
  summary: 'Ask a person to let a client act for the account. PKCE with S256 is required.',
  query: authorization,
  status: 303,
  type: html,
  errors: ['bad_request'],
})
export const resumeAuthorization = defineRoute({
  method: 'get',
  path: '/oauth/authorize/{uid}',
  summary: 'Lead back to the client, once the person has decided.',
  status: 303,
  type: html,
  errors: ['bad_request'],
})
export const exchangeToken = defineRoute({
  method: 'post',
  path: '/oauth/token',
  summary: 'Exchange a code or a refresh token for an access token.',
  form: true,
  body: object({ grant_type: { enum: ['authorization_code', 'refresh_token'] } }),
  answer: object({ access_token: text, token_type: text, scope: text }),
  errors: ['bad_request'],
})
export const revokeToken = defineRoute({
  method: 'post',
  path: '/oauth/revoke',
  summary: 'End an access token, or with a refresh token the whole connection (RFC 7009).',
  form: true,
  body: object({ token: text, client_id: text }),
  type: 'text/plain',
  errors: ['bad_request'],
})

export function addOAuthRoutes(server: FastifyInstance, dependencies: OAuthDependencies) {
  const { scope, baseUrl } = dependencies
  addRoute(server, serverMetadata, () => describeServer(baseUrl(), scope))
  for (const route of [gatewayMetadata, mcpMetadata]) {
    const resource = route.path.slice(resourceMetadataPath.length)
    addRoute(server, route, () => describeResource(baseUrl(), scope, resource))
  }
  server.register(async (clients) => addClientRoutes(clients, dependencies))
  server.register(async (pages) => addConsentRoutes(pages, dependencies))
}

function addClientRoutes(clients: FastifyInstance, dependencies: OAuthDependencies) {
  const config = { credentialOfItsOwn: true }
  const admitRegistration = createRegistrationLimit(dependencies)
  keepText(clients)

  const begin: Handler<typeof authorize> = async ({ request }, reply) => {
    const query = membersOf(request.query)
    if (String(query.client_id).startsWith('https:'))
      await clients.weigh(request, reply, documentPoints)
    return await pass(dependencies, request, reply, { path: withScope(request.url, dependencies) })
  }
  addRoute(clients, authorize, begin, { config })
  for (const route of [resumeAuthorization, exchangeToken, revokeToken])
    addRoute(clients, route, ({ request }, reply) => pass(dependencies, request, reply), { config })

  const register: Handler<typeof registerClient> = async ({ request }, reply) => {
    await admitRegistration(request)
    const body = JSON.stringify(await readMetadata(request, reply))
    if (reply.sent) return reply
    // A bare `curl -d` works here as everywhere.
    const headers = { ...oauthRequestOf(request).headers, 'content-type': 'application/json' }
    return await pass(dependencies, request, reply, { body, headers })
  }
  addRoute(clients, registerClient, register, { config })
}

/** The metadata in the form that this server keeps, or an answer in the form of RFC 7591. */
async function readMetadata(request: FastifyRequest, reply: FastifyReply) {
  try {
    return readClientMetadata(JSON.parse(request.bodyText))
  } catch (thrown) {
    const { error = 'invalid_client_metadata', error_description: description } = thrown as {
      error?: string
      error_description?: string
    }
    await reply
      .code(400)
      .send({ error, error_description: description ?? 'Send the metadata of the client as JSON.' })
    return undefined
  }
}

/** The authorization server reads bodies itself. */
function keepText(server: FastifyInstance) {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      request.bodyText = text
      return {}
    },
  )
}

async function pass(
  { server }: OAuthDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  changes: Partial<OAuthRequest> = {},
) {
  const { status, headers, body } = await server.answer({ ...oauthRequestOf(request), ...changes })
  reply.code(status).headers({ ...headers })
  // A refusal that leads nowhere is read by the person in front of the browser.
  if (status >= 400 && request.method === 'GET')
    return sendGuardedPage(reply, consentProblemPage(problemIn(body)))
  return reply.send(body)
}

function problemIn(body: string): string {
  const { error_description: problem = 'The app made a request that cannot be answered.' } =
    JSON.parse(body)
  return `The app’s request was refused: ${problem}.`
}

/** There is one scope, so a client that names none asks for it. */
function withScope(url: string, { scope, baseUrl }: OAuthDependencies): string {
  const asked = new URL(url, baseUrl())
  if (!asked.searchParams.has('scope')) asked.searchParams.set('scope', scope)
  return asked.pathname + asked.search
}

/**
 * Throws `rate_limited` for a source or a network that registers too much. Clients that are never used take the place
 * of older such clients, so that strangers cannot keep others from registering.
 */
function createRegistrationLimit({ server, attempts }: OAuthDependencies) {
  return async ({ ip }: FastifyRequest) => {
    await attempts.count(registrationsOfSource, sourceOf(ip))
    await attempts.count(registrationsOfNetwork, networkOf(ip))
    await server.makeRoomForClient()
  }
}
