// The HTTP door: parses requests, identifies callers, counts requests, and turns errors into responses.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { Operator, OperatorRole } from '#accounts/operators/role.ts'
import type { SignIns } from '#accounts/sign-in/sign-ins.ts'
import type { Door, OpenAccess } from '#core/access/open-access.ts'
import type { AccountCaller } from '#core/caller.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { Log } from '#core/ports.ts'
import type { SharedCounters } from '#core/replicas/shared-state.ts'
import type { Telemetry } from '#core/telemetry/telemetry.ts'
import type { RailDefinition } from '#money/rails/definition.ts'
import { compressAnswers } from '../doors/compression.ts'
import { errorBody, errorText } from '../doors/error-body.ts'
import { createRateLimit } from '../doors/rate-limit.ts'
import { type Admission, createAdmission } from './admission.ts'
import {
  bodyBytesMax,
  limitBody,
  parseBody,
  pointsOfUnannounced,
  readText,
  refuseEncodedBody,
  refuseLargeBody,
  refuseZeroInAddress,
} from './body.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { isBrowserUpgrade } from './browser-upgrade.ts'
import { refuseDryRun } from './dry-run.ts'
import { type CrossOrigin, createCrossOrigin, requestIdOf } from './every-response.ts'
import { elsewhereOf } from './misplaced-model-call.ts'
import type { BearerChallenge } from './oauth/challenge.ts'
import { observeRequests } from './observe-requests.ts'
import { isMissingPage, sendMissingPage } from './pages/missing.ts'
import { type PassingDoor, passOn } from './passing.ts'
import { createPaymentHeaders, type PaymentHeaders } from './payment.ts'
import type { OperatorCheck } from './sign-in/operator-check.ts'
import { endIdleWhileStopping } from './stopping.ts'

const rateWindowSeconds = 60
const headersTimeoutMs = 10_000
/** For a whole request, from its first byte. */
const requestTimeoutMs = { usual: 30_000, streamedBody: 600_000 } as const

/** Connections that may wait to be taken while this process is busy. The kernel's own limit is 4,096 by default. */
export const connectionsWaitingMax = 4_096

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a valid API key. Undefined when none was sent. */
    caller: AccountCaller | undefined
    /** Who sends a request to the operator's routes. */
    operator: Operator | undefined
    /** What it counts for in the rate limit, besides its address. */
    countedFor: string | undefined
    /** The body as it was sent. */
    bodyText: string
    /** Part of the body had not arrived when the caller was identified. */
    bodyIsLate: boolean
    /** It runs a call that is charged: the answer is sent even if the key ends meanwhile. */
    isPaid: boolean
  }
  interface FastifyInstance {
    /** Counts more points for a request that costs more than others. Throws `rate_limited`. */
    weigh: Admission['weigh']
    paymentHeaders: PaymentHeaders
    crossOrigin: CrossOrigin
    /** The address of the listener by which a request has come. */
    siteOf: (request: IncomingMessage) => string
  }
}

interface Dependencies {
  authenticate: Authenticate
  signIns: Pick<SignIns, 'find'>
  access: Pick<OpenAccess, 'enter'>
  operatorCheck: OperatorCheck
  /** Whether a request may reach the operator's routes. */
  mayOperate: (request: IncomingMessage) => boolean
  bearerChallenge: BearerChallenge
  /** Brings the prices up to date that a route is about to show. */
  followPrices: () => Promise<void>
  /** The address of the listener by which a request has come. */
  siteOf: (request: IncomingMessage) => string
  /** Whether a request has come by the second listener, which is the operator's. */
  isApart: (request: IncomingMessage) => boolean
  /** Requests between the gateways of the database. */
  neighbours: PassingDoor
  log: Log
  telemetry: Telemetry | undefined
  /** Their headers carry payments. */
  rails: readonly RailDefinition[]
  /** Runs `work` so that the log knows its request. */
  inRequest: (requestId: string, work: () => void) => void
  counters: SharedCounters
  rateLimitPerMinute: number
  trustProxy: readonly string[]
  /** Origins whose pages may call, or `*`. */
  corsOrigins: readonly string[]
}

interface Entrance {
  readonly admission: Admission
  readonly paymentHeaders: PaymentHeaders
  readonly crossOrigin: CrossOrigin
}

/** Builds a server without routes. Every response carries the rate-limit headers. */
export function createServer(dependencies: Dependencies): FastifyInstance {
  const { rails, counters, rateLimitPerMinute: points, trustProxy } = dependencies
  const rateLimit = createRateLimit({ counters, points, windowSeconds: rateWindowSeconds })
  const admission = createAdmission({ ...dependencies, rateLimit })
  const paymentHeaders = createPaymentHeaders(rails)
  const crossOrigin = createCrossOrigin(dependencies.corsOrigins, paymentHeaders)
  const entrance: Entrance = { admission, paymentHeaders, crossOrigin }
  const server = openFastify(trustProxy, entrance)
  server.decorate('weigh', admission.weigh)
  server.decorate('paymentHeaders', paymentHeaders)
  server.decorate('crossOrigin', crossOrigin)
  server.decorate('siteOf', dependencies.siteOf)
  server.decorateRequest('caller', undefined)
  server.decorateRequest('operator', undefined)
  server.decorateRequest('countedFor', undefined)
  readBodies(server)
  compressAnswers(server)
  if (dependencies.telemetry !== undefined) observeRequests(server, dependencies.telemetry)
  addRequestHooks(server, dependencies, entrance)
  // RFC 9110 lets a server ignore an unknown Expect. Node would refuse it without our headers.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  endIdleWhileStopping(server)
  server.setNotFoundHandler(async (request, reply) => {
    const body = elsewhereOf(request, dependencies.siteOf(request.raw))
    return body === undefined ? await nothingHere() : await reply.code(404).send(body)
  })
  answerErrors(server, dependencies, admission)
  return server
}

function openFastify(trustProxy: readonly string[], entrance: Entrance) {
  const { admission, crossOrigin } = entrance
  async function refuseAddress(thrown: Error, request: FastifyRequest, reply: FastifyReply) {
    const { headers } = await admission.countBroken(request.ip)
    const error = fromFastify(thrown) ?? toCallError(thrown)
    const forOrigin = crossOrigin.headers({}, request.headers.origin)
    reply.headers({ ...headers, ...forOrigin, 'x-request-id': request.id })
    reply.code(error.status).send(errorBody(error))
  }
  return Fastify({
    bodyLimit: bodyBytesMax,
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    http: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs.streamedBody,
      // `requireHost` refuses it instead, with the headers of other refusals.
      requireHostHeader: false,
      shouldUpgradeCallback: isBrowserUpgrade,
    },
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '/' }) => withoutSecondVersion(url),
    // The onRequest hook refuses instead, with the body and headers of other refusals.
    return503OnClosing: false,
    // An address that the router cannot read has no route, so no hook runs for it.
    frameworkErrors: (thrown, request, reply) =>
      refuseAddress(thrown, request, reply as FastifyReply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, entrance),
  })
}

/** Some clients of language models add the version to a base address that ends with it. */
const withoutSecondVersion = (url: string) => url.replace(/^(\/api\/llm\/v1)\/v1(?=\/)/, '$1')

/** Reads every body as JSON, with any content type, so that a bare `curl -d` works. */
function readBodies(server: FastifyInstance) {
  server.removeAllContentTypeParsers()
  server.decorateRequest('bodyText', '')
  server.decorateRequest('bodyIsLate', false)
  server.decorateRequest('isPaid', false)
  server.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    (request: FastifyRequest, bytes: Buffer, done) => {
      const text = readText(bytes)
      request.bodyText = text
      const body = parseBody(request, text)
      done(null, body)
    },
  )
}

function addRequestHooks(
  server: FastifyInstance,
  { inRequest, followPrices, mayOperate, neighbours }: Dependencies,
  entrance: Entrance,
) {
  const { admission, crossOrigin } = entrance
  const isClosing = watchConnections(server)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const { config } = request.routeOptions
    reply.headers(crossOrigin.headers(config, request.headers.origin))
    reply.headers(config.everyHeader?.(request) ?? {})
    inRequest(request.id, done)
  })
  server.addHook('onRequest', (request, _reply, done) => {
    limitTime(request, entrance)
    done()
  })
  server.addHook('onRequest', async (request, reply) => {
    // Its routes check a credential of their own, and the other gateway has counted it.
    if (!neighbours.isPassedOn(request.raw)) await admission.admit(request, reply)
    else if (!request.routeOptions.config.passesOn) await nothingHere()
    if (request.routeOptions.config.operator && !mayOperate(request.raw)) await nothingHere()
    if (isClosing()) throw fail('unavailable')
    requireHost(request)
    refuseZeroInAddress(request)
    if (request.routeOptions.url !== runRoute) refuseDryRun(request)
    refuseEncodedBody(request)
    refuseLargeBody(request)
  })
  // An async hook costs each request a turn of the microtask queue, so those that seldom have work are not async.
  server.addHook('preParsing', (request, _reply, body, done) =>
    done(null, limitBody(request, body)),
  )
  // A body arrives in events of its connection, outside the context of its request.
  server.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done))
  server.addHook('preValidation', (request, reply, done) => {
    const points = pointsOfUnannounced(request)
    if (points === 0 && !request.bodyIsLate) return done()
    const admit = async () => {
      await admission.admitBody(request)
      if (points > 0) await admission.weigh(request, reply, points)
    }
    admit().then(() => done(), done)
  })
  server.addHook('preHandler', ({ routeOptions }, _reply, done) => {
    if (!routeOptions.config.showsPrices) return done()
    followPrices().then(() => done(), done)
  })
}

/** Refuses a body that takes too long. Node has one limit for all routes, and that of a streamed body is longer. */
function limitTime({ raw, routeOptions }: FastifyRequest, entrance: Entrance) {
  if (raw.complete || routeOptions.config.streamsBody) return
  const refuse = () =>
    void answerBrokenRequest(
      Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      raw.socket,
      entrance,
    )
  const timer = setTimeout(refuse, requestTimeoutMs.usual)
  raw.once('close', () => clearTimeout(timer))
}

function answerErrors(
  server: FastifyInstance,
  { log, bearerChallenge, neighbours }: Dependencies,
  admission: Admission,
) {
  server.setErrorHandler(async (thrown, request, reply) => {
    const passed = await passOn(neighbours, thrown, request, reply)
    if (passed === 'answered') return reply
    const { failure } = passed
    const error = fromFastify(failure, request.routeOptions.bodyLimit) ?? toCallError(failure)
    if (
      error.code === 'upstream_error' &&
      error.cause !== undefined &&
      request.routeOptions.url !== runRoute
    ) {
      log.error(
        { err: error.cause, method: request.method, route: request.routeOptions.url },
        'A request failed.',
      )
    }
    if (error.status === 400) await admission.countRefused(request, reply)
    if (error.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(error.retryAfterSeconds))
    if (error.status === 401)
      reply.header(
        'www-authenticate',
        bearerChallenge({
          path: request.routeOptions.url ?? '',
          hasCredential: request.headers.authorization !== undefined,
        }),
      )
    if (isMissingPage(error, request)) return sendMissingPage(reply, request)
    if (error.challenge !== undefined) reply.headers(error.challenge.headers)
    const { errorBody: describe = errorBody, textErrors } = request.routeOptions.config
    reply.code(error.status)
    if (textErrors && error.challenge === undefined)
      return reply.header('content-type', 'text/plain; charset=utf-8').send(`${error.message}\n`)
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(errorText(describe(error), error))
  })
}

/** Lets the server close while connections are open. Returns whether it is closing. */
function watchConnections(server: FastifyInstance): () => boolean {
  let closing = false
  // Without it a connection whose last call ended while the server closes would keep the process for its idle time.
  const connections = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.addHook('preClose', async () => {
    closing = true
    // The server would wait for a connection that was opened ahead of a call, and no call may ever come.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  return () => closing
}

export async function nothingHere(): Promise<never> {
  throw fail('not_found', {
    message: 'There is nothing at this address. GET /api/run lists all actions.',
  })
}

/** RFC 9112: a request of HTTP/1.1 names its host. Throws `bad_request`. */
function requireHost({ raw }: FastifyRequest): void {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return
  throw fail('bad_request', { message: 'The request has no Host header. Send one.' })
}

/** The options of a route that only shows prices. */
export const showsPrices = { config: { showsPrices: true } }

/** The runner itself logs failures of its calls. */
const runRoute = '/api/run/:service/:action'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of the operator. An API key that only pays for calls is refused there. */
    operator?: boolean
    /** The least role that the route of the operator asks for. Default: `viewer` to read, `manager` to change. */
    role?: OperatorRole
    /** The route admits by a signed address or a token, and registers what it opens by this door. */
    door?: Door
    /** The route revokes the key that admitted it, and still answers. */
    outlivesKey?: boolean
    /** The answer shows prices of the catalog, which are brought up to date first. */
    showsPrices?: boolean
    /** The route checks its own credential, which is not an API key. */
    credentialOfItsOwn?: boolean
    /** Clients of this route may send their API key in this header, in lower case, instead of `Authorization`. */
    keyHeader?: string
    /** What the route is for may be at another gateway, to which the request is passed on. Its body is a stream. */
    passesOn?: boolean
    /** The route only refuses: methods that an address does not take, or unknown addresses. */
    completes?: boolean
    /** The largest body without an API key or a payment, where it differs from the default. */
    strangerBodyBytesMax?: (request: FastifyRequest) => number
    /** Headers of every answer of this address, refusals of a key, a body or a method too. */
    everyHeader?: (request: FastifyRequest) => Readonly<Record<string, string>>
    /** The body is a stream of bytes. The route itself checks who may send it, before any of it is read. */
    streamsBody?: boolean
    /** The route decides itself which encodings of a body it takes. */
    takesEncodings?: boolean
    /** Texts of the body may contain U+0000: they are passed on, and stored as JSON only. */
    takesZeros?: boolean
    /** The error body of this route, where its clients expect another form. */
    errorBody?: (error: CallError) => object
    /** Errors of this route are their message as text, for people. A challenge stays JSON, for paying clients. */
    textErrors?: boolean
  }
}

const fastifyCodes: Readonly<Record<string, (bodyBytesMax?: number) => CallError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (most = bodyBytesMax) =>
    fail('payload_too_large', { message: `The body is larger than ${most} bytes. Send less.` }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    fail('bad_request', { message: 'Content-Length does not match the body.' }),
}

function fromFastify(thrown: unknown, bodyBytesMax?: number): CallError | undefined {
  // A handler may throw anything, null too.
  if (!(thrown instanceof Error)) return undefined
  const { code, statusCode } = membersOf(thrown)
  if (typeof code !== 'string' || !code.startsWith('FST_')) return undefined
  const known = fastifyCodes[code]
  if (known !== undefined) return known(bodyBytesMax)
  if (typeof statusCode === 'number' && statusCode < 500) {
    return fail('bad_request', { message: 'The request could not be read.', cause: thrown })
  }
  return undefined
}
