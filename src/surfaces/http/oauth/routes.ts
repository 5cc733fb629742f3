// The doors of the authorization server: metadata, endpoints of clients, and the page on which a person decides.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AttemptLimit } from '#accounts/attempts.ts'
import type { OAuthRequest } from '#accounts/oauth/authorization-server.ts'
import { readClientMetadata } from '#accounts/oauth/clients.ts'
import {
  describeResource,
  describeServer,
  endpoints,
  resourceMetadataPath,
  serverMetadataPath,
} from '#accounts/oauth/endpoints.ts'
import { consentProblemPage } from '../pages/consent.ts'
import { sendGuardedPage } from '../pages/page.ts'
import { networkOf, sourceOf } from '../rate-limit.ts'
import { resourcePaths } from './challenge.ts'
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

export function addOAuthRoutes(server: FastifyInstance, dependencies: OAuthDependencies) {
  const { scope, baseUrl } = dependencies
  server.get(serverMetadataPath, async () => describeServer(baseUrl(), scope))
  for (const path of ['', ...resourcePaths])
    server.get(resourceMetadataPath + path, async () => describeResource(baseUrl(), scope, path))
  server.register(async (clients) => addClientRoutes(clients, dependencies))
  server.register(async (pages) => addConsentRoutes(pages, dependencies))
}

function addClientRoutes(clients: FastifyInstance, dependencies: OAuthDependencies) {
  const config = { credentialOfItsOwn: true }
  const admitRegistration = createRegistrationLimit(dependencies)
  keepText(clients)

  clients.get(endpoints.authorization, { config }, async (request, reply) => {
    const query = request.query as Record<string, unknown>
    if (String(query.client_id).startsWith('https:'))
      await clients.weigh(request, reply, documentPoints)
    return await pass(dependencies, request, reply, { path: withScope(request.url, dependencies) })
  })
  clients.get(`${endpoints.authorization}/:uid`, { config }, (request, reply) =>
    pass(dependencies, request, reply),
  )
  for (const path of [endpoints.token, endpoints.revocation])
    clients.post(path, { config }, (request, reply) => pass(dependencies, request, reply))

  clients.post(endpoints.registration, { config }, async (request, reply) => {
    await admitRegistration(request)
    const body = JSON.stringify(await readMetadata(request, reply))
    if (reply.sent) return reply
    // A bare `curl -d` works here as everywhere.
    const headers = { ...oauthRequestOf(request).headers, 'content-type': 'application/json' }
    return await pass(dependencies, request, reply, { body, headers })
  })
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
