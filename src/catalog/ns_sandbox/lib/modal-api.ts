// Requests to Modal: to its API with the operator's token, and to the router beside a sandbox with a token for that
// sandbox.
import { z } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { Clock, HttpReply, HttpRequest, ProviderHttp } from '#core/ports.ts'
import type { Upstream } from '#core/provider.ts'
import { apiMethods, failureStatus, retryPolicy, routerMethods } from './messages.ts'
import { decode, encode, type Message, type MessageType } from './protobuf.ts'

const secondMs = 1_000
const waitSecondsMax = 3_600
/** A token is replaced so long before it expires. */
const tokenMarginMs = 60_000
/** For a token that does not tell when it expires. */
const tokenLifetimeMs = 1_200_000

export const modalUpstream = {
  baseUrl: 'https://api.modal.com',
  wire: 'grpc',
  credential: {
    aliases: ['MODAL_API_KEY'],
    form: 'token_id:token_secret',
    attach(key) {
      const [id = '', secret = ''] = key.split(':')
      return {
        headers: {
          'x-modal-token-id': id,
          'x-modal-token-secret': secret,
          // The API refuses clients that it does not know. Ours asks as this version of the vendor's client does.
          'x-modal-client-type': '8',
          'x-modal-client-version': '1.0.0',
          'x-modal-libmodal-version': 'modal-js/0.11.1',
          'x-modal-host': 'api.modal.com',
        },
      }
    },
  },
  wallet: { rail: 'mpp', baseUrl: 'https://modal.mpp.tempo.xyz' },
  failure({ status, headers }) {
    const retryAfterSeconds = readWait(headers['grpc-status-details-bin'])
    if (retryAfterSeconds !== undefined) return { code: 'rate_limited', retryAfterSeconds }
    // The state of the vendor's side does not fit the request. The caller cannot change that.
    return status === 422 ? 'upstream_error' : undefined
  },
  connectionsMax: 256,
} satisfies Upstream

/** For how long the vendor asks its clients to wait, if it does. */
function readWait(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  try {
    const { details = [] } = decode(failureStatus, Buffer.from(header, 'base64'))
    const detail = details.find(({ typeUrl }) => typeUrl?.endsWith('/modal.client.RPCRetryPolicy'))
    if (detail === undefined) return undefined
    const { retryAfterSecs = 0 } = decode(retryPolicy, detail.value ?? Buffer.alloc(0))
    return Math.min(Math.max(1, Math.ceil(retryAfterSecs)), waitSecondsMax)
  } catch {
    return undefined
  }
}

type Requesting = Pick<
  HttpRequest,
  'signal' | 'timeoutMs' | 'accept' | 'firstBytes' | 'outlivesCall'
>

type ApiMethods = typeof apiMethods
type RouterMethods = typeof routerMethods

/** How to reach the programs of one sandbox. */
export interface Router {
  readonly jwt: string
  readonly url: string
}

/** Keeps the token that all calls of this gateway share. */
export function createModalApi() {
  let token: { readonly value: string; readonly endsAtMs: number } | undefined

  async function tokenOf(http: ProviderHttp, clock: Clock): Promise<string> {
    if (token !== undefined && clock.now() < token.endsAtMs) return token.value
    const { AuthTokenGet: method } = apiMethods
    const reply = await post(http, apiPath('AuthTokenGet'), encode(method.request, {}))
    const value = readOne(method.reply, reply).token ?? ''
    if (value === '') throw unreadable(new Error('The token is empty.'))
    token = { value, endsAtMs: endOf(value, clock.now()) - tokenMarginMs }
    return value
  }

  /** Every message of the reply: one, but for streams. `undefined` stands for a failure that `accept` names. */
  async function ask<Name extends keyof ApiMethods>(
    { http, clock }: { readonly http: ProviderHttp; readonly clock: Clock },
    name: Name,
    message: Message<ApiMethods[Name]['request']>,
    options: Requesting = {},
  ): Promise<readonly Message<ApiMethods[Name]['reply']>[] | undefined> {
    const { request, reply: type } = apiMethods[name]
    const headers = { 'x-modal-auth-token': await tokenOf(http, clock) }
    const sent = post(http, apiPath(name), encode(request, message), { ...options, headers })
    const reply = await sent.catch((thrown) => {
      // A token may be revoked before it expires.
      if (reasonOf(thrown) === 'provider_auth') token = undefined
      throw thrown
    })
    return reply.status < 300 ? readAll(type as ApiMethods[Name]['reply'], reply) : undefined
  }

  return {
    all: ask,
    async one<Name extends keyof ApiMethods>(
      ...[context, name, message, options]: Parameters<typeof ask<Name>>
    ): Promise<Message<ApiMethods[Name]['reply']>> {
      const [first] = (await ask(context, name, message, options)) ?? []
      if (first === undefined) throw unreadable(new Error(`${name} answered nothing.`))
      return first
    },
  }
}

export async function askRouter<Name extends keyof RouterMethods>(
  http: ProviderHttp,
  { jwt, url }: Router,
  name: Name,
  message: Message<RouterMethods[Name]['request']>,
  options: Requesting = {},
): Promise<{
  readonly messages: readonly Message<RouterMethods[Name]['reply']>[]
  readonly truncated: boolean
}> {
  const { request, reply: type } = routerMethods[name]
  const reply = await post(
    http,
    `/modal.task_command_router.TaskCommandRouter/${name}`,
    encode(request as MessageType, message),
    {
      ...options,
      at: url,
      // The router gets a token for its own sandbox only.
      anonymous: true,
      headers: { authorization: `Bearer ${jwt}` },
    },
  )
  return {
    messages: readAll(type as RouterMethods[Name]['reply'], reply),
    truncated: reply.truncated ?? false,
  }
}

const apiPath = (name: keyof ApiMethods) => `/modal.client.ModalClient/${name}`

const post = (
  http: ProviderHttp,
  path: string,
  bytes: Buffer,
  options: Partial<HttpRequest> = {},
): Promise<HttpReply> => http.send({ ...options, method: 'POST', path, bytes, as: 'bytes' })

function readAll<Type extends MessageType>(type: Type, { body }: HttpReply): Message<Type>[] {
  try {
    return (body as readonly Buffer[]).map((bytes) => decode(type, bytes))
  } catch (thrown) {
    throw unreadable(thrown)
  }
}

function readOne<Type extends MessageType>(type: Type, reply: HttpReply): Message<Type> {
  const [first] = readAll(type, reply)
  if (first === undefined) throw unreadable(new Error('The reply is empty.'))
  return first
}

export const unreadable = (cause: unknown) =>
  fail('upstream_error', {
    message: 'The provider’s answer could not be read. Nothing was charged; try again.',
    cause,
  })

/** The kind of a failure, as the client of the provider tells it. */
export const reasonOf = (thrown: unknown): unknown =>
  thrown instanceof CallError ? membersOf(thrown.data).reason : undefined

const claims = z.looseObject({ exp: z.number() })

/** When a JSON Web Token expires. */
function endOf(token: string, now: number): number {
  try {
    const [, payload = ''] = token.split('.')
    const { exp } = claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
    return exp * secondMs
  } catch {
    return now + tokenLifetimeMs
  }
}
