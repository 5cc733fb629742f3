// OAuth 2.1 for clients that act for an account. The protocol is that of `oidc-provider`; what is stored, what a person
// decides and what a token may do are ours. A grant is a key with an origin: its limits are those that the person
// chose.
import type { IncomingMessage, ServerResponse } from 'node:http'
import inject from 'light-my-request'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { KeyOwner, KeyPolicy, Keys } from '../keys/keys.ts'
import { shownName } from './clients.ts'
import { createClientDocuments } from './documents.ts'
import { createProvider } from './provider.ts'
import type { OAuthRecords } from './records.ts'

export interface OAuthRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: string | undefined
}

export interface OAuthAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string
}

/** What a client asks of the person. */
export interface ConsentRequest {
  readonly clientId: string
  /** What the client calls itself. Not verified. */
  readonly clientName: string | undefined
  /** Where the answer goes. */
  readonly redirectUri: string
  readonly resource: string
}

export interface AuthorizationServer {
  /** Answers a request to one of the endpoints of `endpoints.ts`. */
  answer(request: OAuthRequest): Promise<OAuthAnswer>
  /** Undefined when the request has expired, or was made in another browser. */
  findConsentRequest(request: OAuthRequest): Promise<ConsentRequest | undefined>
  /**
   * Lets the client in, within these limits. Resolves to the address at which the browser goes on. Throws as
   * `Keys.create`.
   */
  allow(request: OAuthRequest, owner: KeyOwner, policy: KeyPolicy): Promise<string>
  deny(request: OAuthRequest): Promise<string>
  makeRoomForClient: OAuthRecords['makeRoomForClient']
  close(): Promise<void>
}

export interface AuthorizationServerDependencies {
  readonly records: OAuthRecords
  readonly keys: Keys
  readonly guard: EgressGuard
  readonly log: Log
  /** The scope of every token. */
  readonly scope: string
  /** Signs the cookies that tie a consent to its browser. All gateways share it. */
  readonly cookieSecret: string
  readonly baseUrl: () => string
}

export function createAuthorizationServer(
  dependencies: AuthorizationServerDependencies,
): AuthorizationServer {
  const { records, baseUrl } = dependencies
  const documents = createClientDocuments(dependencies.guard)
  // The address of a gateway is known once it listens.
  let opened: Provider | undefined
  const open = () => (opened ??= createProvider({ ...dependencies, documents, base: baseUrl() }))
  return {
    ...createConsents(dependencies, open),
    makeRoomForClient: records.makeRoomForClient,
    async answer(request) {
      const sent = sentTo(request, baseUrl())
      const { statusCode, headers, payload } = await inject(open().callback(), sent)
      return { status: statusCode, headers: readHeaders(headers), body: payload }
    },
    close: documents.close,
  }
}

/** The requests of clients that wait for a person. A cookie ties each to the browser that made it. */
function createConsents(
  { records, keys, scope, baseUrl }: AuthorizationServerDependencies,
  open: () => Provider,
): Pick<AuthorizationServer, 'findConsentRequest' | 'allow' | 'deny'> {
  const find = (request: OAuthRequest) =>
    inProvider(request, baseUrl(), async (incoming, outgoing) =>
      open()
        .interactionDetails(incoming, outgoing)
        .catch((thrown: unknown) => {
          if (thrown instanceof errors.SessionNotFound) return undefined
          throw thrown
        }),
    )

  const finish = (request: OAuthRequest, result: InteractionResults) =>
    inProvider(request, baseUrl(), async (incoming, outgoing) => {
      const alone = { mergeWithLastSubmission: false }
      const target = await open().interactionResult(incoming, outgoing, result, alone)
      const { pathname, search } = new URL(target)
      return pathname + search
    })

  async function findConsentRequest(request: OAuthRequest): Promise<ConsentRequest | undefined> {
    const { uid, params } = (await find(request)) ?? {}
    // The cookie may be that of another request of the same browser.
    if (params === undefined || !request.path.split('?')[0]?.endsWith(`/${uid}`)) return undefined
    const clientId = String(params.client_id)
    const client = await open().Client.find(clientId)
    if (client === undefined) return undefined
    return {
      clientId,
      clientName: shownName.safeParse(client.clientName).data,
      redirectUri: String(params.redirect_uri),
      resource: String(params.resource),
    }
  }

  return {
    findConsentRequest,
    async allow(request, owner, policy) {
      const asked = await findConsentRequest(request)
      if (asked === undefined) throw expired()
      const { clientId, clientName, resource } = asked
      const named = { ...policy, name: clientName ?? clientId }
      await keys.requireRoom(owner, named)
      // Codes and tokens are issued in the name of the key, which is made when the code is exchanged.
      const keyId = await records.announceKey({ owner, policy: named, clientId })
      const { Grant } = open()
      const grant = new Grant({ accountId: keyId, clientId })
      grant.addResourceScope(resource, scope)
      const grantId = await grant.save()
      return await finish(request, { login: { accountId: keyId }, consent: { grantId } })
    },
    async deny(request) {
      if ((await findConsentRequest(request)) === undefined) throw expired()
      const reason = { error: 'access_denied', error_description: 'The person did not allow it.' }
      return await finish(request, reason)
    },
  }
}

const expired = () =>
  fail('bad_request', {
    message: 'This request has expired, or was opened in another browser. Start again in your app.',
  })

/**
 * The headers that the library needs. Its addresses come from `baseUrl` alone, so no header of a caller changes them.
 */
const passedHeaders = ['accept', 'authorization', 'content-type', 'cookie'] as const

function sentTo({ method, path, headers, body }: OAuthRequest, baseUrl: string) {
  const passed = passedHeaders.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    method,
    url: new URL(path, baseUrl).href,
    headers: {
      ...Object.fromEntries(passed),
      'x-forwarded-proto': new URL(baseUrl).protocol.slice(0, -1),
    },
    ...(body === undefined ? {} : { payload: body }),
  }
}

/** Runs `work` with a request as the library reads it. */
async function inProvider<Result>(
  request: OAuthRequest,
  baseUrl: string,
  work: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<Result>,
): Promise<Result> {
  const done = Promise.withResolvers<Result>()
  await inject(
    (incoming, outgoing) => {
      const response = outgoing as unknown as ServerResponse
      work(incoming as unknown as IncomingMessage, response)
        .then(done.resolve, done.reject)
        .finally(() => response.end())
    },
    { ...sentTo(request, baseUrl) },
  )
  return await done.promise
}

const passedAnswerHeaders = [
  'cache-control',
  'content-type',
  'location',
  'set-cookie',
  'www-authenticate',
]

function readHeaders(headers: Readonly<Record<string, unknown>>): OAuthAnswer['headers'] {
  return Object.fromEntries(
    passedAnswerHeaders.flatMap((name) => {
      const value = headers[name]
      if (value === undefined) return []
      return [[name, Array.isArray(value) ? value.map(String) : String(value)]]
    }),
  )
}
