// The client that an action is given. One is made for each service; the runner binds it to each call's signal.
import { Agent, type Dispatcher } from 'undici'
import { fail } from '#core/errors.ts'
import type { Clock, HttpReply, HttpRequest, Log, ProviderHttp, ServiceHttp } from '#core/ports.ts'
import type { Upstream } from '#core/provider.ts'
import { decodeText, readBytes } from './body.ts'
import { type CourtesyLimiter, createCourtesyLimiter } from './courtesy.ts'
import { brokenExchange, type RawReply, readFailure } from './failure.ts'
import { resolveTarget, type Target } from './target.ts'

/** The longest that one exchange may take, from the connection to the last byte. */
const timeoutMsDefault = 30_000
/** The most that is read of a reply, after decompression. */
const responseBytesMaxDefault = 10_000_000
/** The longest silence before the first byte, unless a provider is known to take its time, and between two. */
const silenceMsMax = 20_000
const connectTimeoutMs = 5_000
const connectionsPerOriginMax = 32
const originsMax = 400

export interface ProviderHttpOptions {
  /** For the log. */
  readonly providerId: string
  readonly upstream: Upstream
  /** Where the provider is; replaces `upstream.baseUrl`. */
  readonly baseUrl?: string | undefined
  readonly key?: string | undefined
  readonly userAgent: string
  readonly clock: Clock
  readonly log: Log
}

export function createProviderHttp(
  options: ProviderHttpOptions,
): ServiceHttp & { readonly close: () => Promise<void> } {
  const { upstream, clock } = options
  // A service has one credential, and vendors count by credential: one limiter for all hosts and calls.
  const limiter = createCourtesyLimiter({ windows: upstream.courtesy ?? [], clock })
  const agent = new Agent({
    connections: connectionsPerOriginMax,
    maxOrigins: originsMax,
    connect: { timeout: connectTimeoutMs },
  })
  const bind = (signal?: AbortSignal): ProviderHttp => {
    const send = (request: HttpRequest) => exchange({ ...options, agent, limiter }, request, signal)
    return {
      send,
      get: async (path, rest) => (await send({ ...rest, method: 'GET', path })).body,
      post: async (path, body, rest) => (await send({ ...rest, method: 'POST', path, body })).body,
    }
  }
  // Calls end by their own deadlines; a gateway that stops does not wait for connections that are merely kept open.
  return { ...bind(), withSignal: bind, close: () => agent.destroy() }
}

type Room = ProviderHttpOptions & { readonly agent: Agent; readonly limiter: CourtesyLimiter }

async function exchange(
  room: Room,
  request: HttpRequest,
  signal?: AbortSignal,
): Promise<HttpReply> {
  const { upstream, key } = room
  const attached = key === undefined ? {} : (upstream.credential?.attach(key) ?? {})
  const target = resolveTarget(room.baseUrl ?? upstream.baseUrl, request, attached.query)
  const headers = {
    accept: request.as === 'text' ? '*/*' : 'application/json',
    'accept-encoding': 'gzip, br',
    'user-agent': room.userAgent,
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...upstream.headers,
    ...attached.headers,
    ...request.headers,
  }
  const reply = await ask(room, request, target, headers, signal)
  const accept = request.accept ?? []
  const failure = readFailure(reply.raw, {
    reader: upstream.failure,
    accept,
    nowMs: room.clock.now(),
    seen: target.seen,
  })
  if (failure?.operatorAlert) {
    room.log.error(
      { provider: room.providerId, status: reply.raw.status, request: target.seen },
      'Operator alert: a provider refuses this gateway. Check its key, its credit and the contact in the User-Agent.',
    )
  }
  if (failure !== undefined) throw failure.error
  // An accepted failure may well be a page of text; a success that is not what was asked for is none.
  if (reply.unreadable !== undefined && reply.raw.status < 300) {
    throw fail('upstream_error', {
      message: reply.unreadable,
      cause: new Error(`${target.seen} answered ${reply.raw.status}, unreadable.`),
    })
  }
  return reply.raw as HttpReply
}

/** One request; a GET that broke before any answer is repeated once. A POST never is: a provider may bill each one. */
async function ask(
  { agent, limiter, ...room }: Room,
  request: HttpRequest,
  target: Target,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    await limiter.turn(signal)
    const { timeoutMs } = room.upstream
    const deadline = AbortSignal.timeout(timeoutMs ?? timeoutMsDefault)
    const dispatch = () =>
      agent.request({
        origin: target.origin,
        path: target.path,
        method: request.method,
        headers,
        body: request.body === undefined ? null : JSON.stringify(request.body),
        headersTimeout: timeoutMs ?? silenceMsMax,
        bodyTimeout: silenceMsMax,
        signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
      })
    const response = await dispatch().catch(async (thrown) => {
      if (request.method !== 'GET' || !isConnectionError(thrown)) throw thrown
      await limiter.turn(signal)
      return dispatch()
    })
    return await read(room.upstream, request, response)
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason
    throw brokenExchange(thrown, target.seen)
  }
}

const connectionErrors = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'])

function isConnectionError(thrown: unknown): boolean {
  return connectionErrors.has((thrown as { code?: string }).code ?? '')
}

interface Answer {
  readonly raw: RawReply
  /** Why the body is not what was asked for, in a sentence for the caller. */
  readonly unreadable?: string
}

async function read(
  upstream: Upstream,
  request: HttpRequest,
  { statusCode: status, headers: received, body: stream }: Dispatcher.ResponseData,
): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )
  const bytesMax = upstream.responseBytesMax ?? responseBytesMaxDefault
  const { bytes, truncated } = await readBytes(stream, headers['content-encoding'], bytesMax)
  const text = decodeText(bytes, headers['content-type'])
  if (truncated) {
    return {
      raw: { status, headers, body: text },
      unreadable: `The provider’s answer is larger than the ${bytesMax / 1_000_000} MB that are read here. Ask for less. Nothing was charged.`,
    }
  }
  if (request.as === 'text') return { raw: { status, headers, body: text } }
  try {
    return { raw: { status, headers, body: text.trim() === '' ? null : JSON.parse(text) } }
  } catch {
    return {
      raw: { status, headers, body: text },
      unreadable: 'The provider’s answer could not be read. Nothing was charged; try again.',
    }
  }
}
