// The HTTP client of an action. Each service has one; the runner binds it to the signal of each call.
import { Agent, type Dispatcher } from 'undici'
import { fail, toCallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import { centsToMicros } from '#core/money.ts'
import type {
  Clock,
  CountAsked,
  HttpReply,
  HttpRequest,
  Log,
  OnReply,
  ProviderHttp,
  ServiceHttp,
  Spending,
} from '#core/ports.ts'
import type { Upstream } from '#core/provider.ts'
import type { SharedState } from '#core/replicas/shared-state.ts'
import { observe } from '#core/telemetry/observe.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import { decodeText, readBytes } from './body.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import {
  brokenExchange,
  isConnectionError,
  isUnreachable,
  type RawReply,
  readFailure,
} from './failure.ts'
import { createGrpcAgent, frameMessage, grpcHeaders, readGrpcReply } from './grpc.ts'
import { hideSecrets } from './hide-secrets.ts'
import { keepAliveMarginMs } from './keep-alive.ts'
import { createHostPacers, createPacer, type Pacer, type Pacers } from './pacing.ts'
import { parseReply } from './reply-json.ts'
import { createReplyMemory } from './reply-memory.ts'
import { resolveTarget, type Target } from './target.ts'
import { isUnsent, paidInVain, type UpstreamWallet } from './upstream-wallet.ts'
import { readVendorText, redactSecrets } from './vendor-text.ts'

/** For one exchange, from the connection to the last byte. */
const timeoutMsDefault = 30_000
/** Of a reply, after decompression. */
const responseBytesMaxDefault = 10_000_000
/** The longest silence before the first byte (unless the provider sets its own) and between two bytes. */
const silenceMsMax = 20_000
const connectTimeoutMs = 5_000
const connectionsPerOriginMax = 32
const originsMax = 400

export interface ProviderHttpDependencies {
  /** For the log. */
  readonly providerId: string
  readonly upstream: Upstream
  /** Replaces `upstream.baseUrl`. */
  readonly baseUrl?: string | undefined
  readonly key?: string | undefined
  readonly userAgent: string
  readonly clock: Clock
  readonly log: Log
  readonly telemetry?: Telemetry | undefined
  /** Shared by services with the same credential. Default: pacers of this service alone. */
  readonly pacers?: Pacers | undefined
  /** What all gateways of the database know of the provider. Default: this gateway knows its own part. */
  readonly shared?: Pick<SharedState, 'turns' | 'records'> | undefined
  /** Pays sellers that answer 402, if the request allows it. */
  readonly wallet?: UpstreamWallet | undefined
  /** Every request may be paid for, not only those that ask for it. */
  readonly allForSale?: boolean | undefined
  /** Checks the pages that a request names, because they are opened from within the operator's network. */
  readonly admitAddress?: ((address: string) => Promise<void>) | undefined
  /** Opens the connections. Default: an agent of this client alone. */
  readonly agent?: Agent | undefined
  /** Maps the provider's paths to those of this address, where they differ. */
  readonly paths?: Readonly<Record<string, string>> | undefined
  readonly atPaidEndpoint?: boolean | undefined
  readonly onReply?: OnReply | undefined
}

export function createProviderHttp(
  dependencies: ProviderHttpDependencies,
): ServiceHttp & { readonly close: () => Promise<void> } {
  const { upstream, clock, key, pacers, telemetry } = dependencies
  const { turns, records } = dependencies.shared ?? {}
  const name = `${dependencies.providerId} ${dependencies.baseUrl ?? upstream.baseUrl}`
  // Vendors count requests by credential, so all calls share its pacers.
  const windows = (key === undefined ? undefined : upstream.pacingWithKey) ?? upstream.pacing
  const pacerOf = createHostPacers(windows ?? [], (own, host) =>
    key === undefined || pacers === undefined
      ? createPacer({
          windows: own,
          clock,
          shared: turns && { turns, name: `${name} ${host ?? ''} ${key ?? ''}` },
        })
      : pacers(`${dependencies.baseUrl ?? upstream.baseUrl} ${host ?? ''} ${key}`, own),
  )
  const breaker = createCircuitBreaker({ clock, shared: records && { records, name } })
  const connections = {
    connections: upstream.connectionsMax ?? connectionsPerOriginMax,
    maxOrigins: originsMax,
    connect: { timeout: connectTimeoutMs },
    keepAliveTimeoutThreshold: keepAliveMarginMs,
  }
  const agent =
    dependencies.agent ??
    (speaksGrpc(dependencies) ? createGrpcAgent(connections) : new Agent(connections))
  const remembering = createReplyMemory({ clock })
  const bind = (signal?: AbortSignal, spending?: Spending, asked?: CountAsked): ProviderHttp => {
    const send = (wanted: HttpRequest) =>
      remembering(wanted, (request) =>
        observe(
          telemetry,
          { kind: 'upstream', provider: dependencies.providerId, method: request.method },
          () =>
            exchange(
              { ...dependencies, agent, pacer: pacerOf(request.host?.host), breaker, asked },
              { ...request, path: dependencies.paths?.[request.path] ?? request.path },
              either(request.outlivesCall ? undefined : signal, request.signal),
              spending,
            ),
        ),
      )
    return {
      atPaidEndpoint: dependencies.atPaidEndpoint,
      send,
      get: async (path, rest) => (await send({ ...rest, method: 'GET', path })).body,
      post: async (path, body, rest) => (await send({ ...rest, method: 'POST', path, body })).body,
      sign(claims) {
        const { sign } = upstream.credential ?? {}
        if (sign === undefined || key === undefined) throw fail('provider_not_configured')
        return sign(key, claims)
      },
    }
  }
  // Calls have deadlines of their own, so closing need not wait for idle connections.
  return {
    ...bind(),
    withSignal: bind,
    circuits: breaker.circuits,
    redact: (text) => redactSecrets(text, secretsOf(dependencies)),
    close: () => agent.destroy(),
  }
}

function either(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}

/** A paid endpoint speaks plain HTTP. */
const speaksGrpc = ({ upstream, atPaidEndpoint }: ProviderHttpDependencies) =>
  upstream.wire === 'grpc' && !atPaidEndpoint

interface ExchangeDependencies extends ProviderHttpDependencies {
  readonly agent: Agent
  readonly pacer: Pacer
  readonly breaker: CircuitBreaker
  readonly asked?: CountAsked | undefined
}

/** One exchange. If the seller answers 402 and the request allows a payment, it is repeated once with a payment. */
async function exchange(
  dependencies: ExchangeDependencies,
  request: HttpRequest,
  signal?: AbortSignal,
  spending?: Spending,
): Promise<HttpReply> {
  const { wallet, key, admitAddress } = dependencies
  if (admitAddress !== undefined)
    for (const address of pagesOf(request.body)) await admitAddress(address)
  const { payUpToCents, accept = [] } = request
  const isForSale =
    payUpToCents !== undefined || (dependencies.allForSale && (spending?.left() ?? 0) > 0)
  if (!isForSale || wallet === undefined || key !== undefined || spending === undefined)
    return await exchangeOnce(dependencies, request, signal)
  const demand = await exchangeOnce(dependencies, { ...request, accept: [...accept, 402] }, signal)
  if (demand.status !== 402) return demand
  const ceiling =
    payUpToCents === undefined ? Number.POSITIVE_INFINITY : centsToMicros(payUpToCents)
  return await spending.pay(
    (left) => wallet.pay(demand, Math.min(ceiling, left)),
    async ({ micros, headers, receiptHeader }) => {
      const paid: HttpRequest = {
        ...request,
        headers: { ...request.headers, ...headers },
        // "Not found" may be an answer worth its price. No other refusal counts as an answer once it was paid for.
        accept: accept.filter((status) => status === 404),
      }
      let delivered = false
      const answered = (status: number) => {
        delivered = status < 300
      }
      // A seller that delivered an answer has earned its payment, even if the answer reports no result.
      const reply = await exchangeOnce(dependencies, paid, signal, { answered }).catch((thrown) => {
        throw delivered || isUnsent(thrown) ? thrown : paidInVain(thrown)
      })
      const receipt = reply.headers[receiptHeader] ?? null
      return { ...reply, paid: { usd: micros / 1e6, receipt } }
    },
  )
}

const secretsOf = ({ key }: Pick<ProviderHttpDependencies, 'key'>) =>
  key === undefined ? [] : [key]

/** The request without the credential. A vendor that repeats it tells the caller nothing new. */
const whatWasSent = ({ path, query, body }: HttpRequest) =>
  `${path} ${JSON.stringify(query)} ${JSON.stringify(body)}`

/** Providers that read pages name them in these fields. */
function pagesOf(body: unknown): string[] {
  const { url, urls } = membersOf(body)
  return [url, urls].flat().filter((page) => typeof page === 'string')
}

async function exchangeOnce(
  dependencies: ExchangeDependencies,
  request: HttpRequest,
  signal?: AbortSignal,
  payment?: { readonly answered: (status: number) => void },
): Promise<HttpReply> {
  const { upstream, key, breaker } = dependencies
  const attached =
    key === undefined || request.anonymous ? {} : (upstream.credential?.attach(key, request) ?? {})
  const target = resolveTarget(
    dependencies.baseUrl ?? upstream.baseUrl,
    request,
    attached.query,
    upstream.hosts,
  )
  const body =
    attached.body === undefined ? request.body : { ...(request.body as object), ...attached.body }
  const headers = {
    accept: (request.as ?? 'json') === 'json' ? 'application/json' : '*/*',
    'accept-encoding': 'gzip, br',
    'user-agent': dependencies.userAgent,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(speaksGrpc(dependencies) && grpcHeaders),
    ...upstream.headers,
    ...otherThan(attached.headers ?? {}, request.headers ?? {}),
    ...attached.headers,
  }
  await breaker.enter(target.origin)
  const repeatable = request.method === 'GET' && payment === undefined
  const asking = ask({ ...dependencies, repeatable }, { ...request, body }, target, headers, signal)
  const reply = await asking.catch(async (thrown) => {
    // A request that our own pacer refused never reached the provider.
    const asked = !signal?.aborted && toCallError(thrown).code === 'upstream_error'
    await breaker.leave(target.origin, asked ? 'down' : 'unknown')
    throw thrown
  })
  dependencies.onReply?.(request, reply.raw)
  if (reply.unreadable === undefined) payment?.answered(reply.raw.status)
  const failure = readFailure(reply.raw, {
    reader: upstream.failure,
    accept: request.accept ?? [],
    nowMs: dependencies.clock.now(),
    seen: target.seen,
    words: () =>
      readVendorText(reply.raw.body, {
        secrets: secretsOf(dependencies),
        sent: whatWasSent(request),
      }),
  })
  await breaker.leave(target.origin, failure?.providerDown ? 'down' : 'alive')
  if (failure?.operatorAlert || upstream.alertsOperator?.(reply.raw)) {
    dependencies.log.error(
      { provider: dependencies.providerId, status: reply.raw.status, request: target.seen },
      'Operator alert: a provider refuses this gateway. Check its key, its credit and the contact in the User-Agent.',
    )
  }
  if (failure !== undefined) throw failure.error
  // An accepted failure may be plain text. A success must have the format that was asked for.
  if (reply.unreadable !== undefined && reply.raw.status < 300) {
    throw fail('upstream_error', {
      message: reply.unreadable,
      cause: new Error(`${target.seen} answered ${reply.raw.status}, unreadable.`),
    })
  }
  return reply.raw as HttpReply
}

/**
 * One request. A GET that broke before any answer is repeated once. A POST and a request with a payment are never
 * repeated, because the provider may bill each one.
 */
async function ask(
  { agent, pacer, asked, ...dependencies }: ExchangeDependencies & { readonly repeatable: boolean },
  request: HttpRequest,
  target: Target,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<ParsedReply> {
  try {
    await pacer.turn(signal)
    const timeoutMs = request.timeoutMs ?? dependencies.upstream.timeoutMs
    const deadline = AbortSignal.timeout(timeoutMs ?? timeoutMsDefault)
    const dispatch = () => {
      asked?.(1)
      const sending = agent.request({
        origin: target.origin,
        path: target.path,
        method: request.method,
        headers,
        body: bodyOf(dependencies, request),
        headersTimeout: timeoutMs ?? silenceMsMax,
        bodyTimeout: request.timeoutMs ?? silenceMsMax,
        signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
      })
      return sending.catch((thrown) => {
        if (isUnreachable(thrown)) asked?.(-1)
        throw thrown
      })
    }
    const response = await dispatch().catch(async (thrown) => {
      if (!dependencies.repeatable || !isConnectionError(thrown)) throw thrown
      await pacer.turn(signal)
      return dispatch()
    })
    return await read(dependencies, request, response)
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason
    throw brokenExchange(thrown, target.seen)
  }
}

function bodyOf(dependencies: ProviderHttpDependencies, { bytes, body }: HttpRequest) {
  if (speaksGrpc(dependencies)) return frameMessage(bytes)
  return bytes ?? (body === undefined ? null : JSON.stringify(body))
}

interface ParsedReply {
  readonly raw: RawReply
  /** Tells the caller why the body could not be used. */
  readonly unreadable?: string
}

const joinHeaders = (received: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

async function read(
  dependencies: ProviderHttpDependencies,
  request: HttpRequest,
  { statusCode: status, headers: received, body: stream, trailers }: Dispatcher.ResponseData,
): Promise<ParsedReply> {
  const headers = joinHeaders(received)
  const bytesMax =
    request.firstBytes ?? dependencies.upstream.responseBytesMax ?? responseBytesMaxDefault
  const { bytes, truncated } = await readBytes(stream, headers['content-encoding'], bytesMax)
  if (speaksGrpc(dependencies) && !(truncated && request.firstBytes === undefined)) {
    const all = { ...headers, ...joinHeaders(trailers) }
    return { raw: readGrpcReply({ status, headers: all }, bytes, truncated) }
  }
  const text = decodeText(bytes, headers['content-type'])
  if (truncated) {
    return {
      raw: { status, headers, body: text },
      unreadable: `The provider’s answer is larger than the ${bytesMax / 1_000_000} MB that this gateway reads. Ask for less. Nothing was charged.`,
    }
  }
  if (request.as === 'text') return { raw: { status, headers, body: text } }
  if (request.as === 'bytes' && status < 300) {
    if (!request.hidesKey) return { raw: { status, headers, body: bytes } }
    const secrets = secretsOf(dependencies)
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      redactSecrets(value, secrets),
    ])
    return {
      raw: {
        status,
        headers: Object.fromEntries(shown),
        body: hideSecrets(bytes, secrets),
      },
    }
  }
  try {
    return { raw: { status, headers, body: text.trim() === '' ? null : parseReply(text) } }
  } catch {
    return {
      raw: { status, headers, body: text },
      unreadable: 'The provider’s answer could not be read. Nothing was charged; try again.',
    }
  }
}

/** A caller of a sold endpoint names headers: none of them takes the place of the operator's credential. */
function otherThan(
  attached: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const taken = new Set(Object.keys(attached).map((name) => name.toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !taken.has(name.toLowerCase())),
  )
}
