// The HTTP door: parses, identifies, counts, and turns errors into responses. What is sold is decided behind it.
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Authenticate } from '#accounts/keys/authentication.ts'
import type { AccountCaller } from '#core/caller.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { RailDefinition } from '#money/rails/definition.ts'
import { type Admission, createAdmission } from './admission.ts'
import {
  bodyBytesMax,
  limitBody,
  parseBody,
  pointsOfUnannounced,
  refuseLargeBody,
  refuseZeroInAddress,
} from './body.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { refuseDryRun } from './dry-run.ts'
import { errorBody, errorText } from './error-body.ts'
import { crossOriginHeaders, requestIdOf } from './every-response.ts'
import { createPaymentHeaders, type PaymentHeaders } from './payment.ts'
import { createRateLimit } from './rate-limit.ts'

const rateWindowSeconds = 60
const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent a valid credential; undefined when none was sent. */
    caller: AccountCaller | undefined
    /** The body as it was sent. */
    bodyText: string
    /** Whether a part of it was still to come when the caller was known. */
    bodyIsLate: boolean
  }
  interface FastifyInstance {
    /** Counts more points for a request that costs more than others. Throws `rate_limited`. */
    weigh: Admission['weigh']
    paymentHeaders: PaymentHeaders
  }
}

/** Builds a server without routes. Every response it gives carries the rate-limit headers. */
export function createServer(room: {
  authenticate: Authenticate
  log: Log
  /** Their headers carry payments. */
  rails: readonly RailDefinition[]
  /** Runs what answers a request so that the log knows whose it is. */
  inRequest: (requestId: string, work: () => void) => void
  rateLimitPerMinute: number
  trustProxy: readonly string[]
}): FastifyInstance {
  const { authenticate, log, inRequest } = room
  const rateLimit = createRateLimit({
    points: room.rateLimitPerMinute,
    windowSeconds: rateWindowSeconds,
  })
  const paymentHeaders = createPaymentHeaders(room.rails)
  const admission = createAdmission({ authenticate, rateLimit })
  async function refuseAddress(thrown: Error, request: FastifyRequest, reply: FastifyReply) {
    const { headers } = await admission.countBroken(request.ip)
    const error = fromFastify(thrown) ?? toCallError(thrown)
    reply.headers({
      ...headers,
      ...crossOriginHeaders({}, paymentHeaders),
      'x-request-id': request.id,
    })
    reply.code(error.status).send(errorBody(error))
  }
  const server = Fastify({
    bodyLimit: bodyBytesMax,
    trustProxy: room.trustProxy.length > 0 ? [...room.trustProxy] : false,
    http: {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // Node would refuse it without the headers of other refusals; see `requireHost`.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    // Refused in onRequest instead, with the body and the headers of every other refusal.
    return503OnClosing: false,
    // Addresses that the router cannot read have no route, and therefore no hooks.
    frameworkErrors: (thrown, request, reply) =>
      refuseAddress(thrown, request, reply as FastifyReply),
    clientErrorHandler: (error, socket) =>
      answerBrokenRequest(error, socket, { admission, paymentHeaders }),
  })

  // JSON whatever the content type says, so that a bare `curl -d` works.
  server.removeAllContentTypeParsers()
  server.decorateRequest('bodyText', '')
  server.decorateRequest('bodyIsLate', false)
  server.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => {
      request.bodyText = text
      return parseBody(request, text)
    },
  )

  const isClosing = watchConnections(server)
  server.decorate('weigh', admission.weigh)
  server.decorate('paymentHeaders', paymentHeaders)
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.headers(crossOriginHeaders(request.routeOptions.config, paymentHeaders))
    inRequest(request.id, done)
  })
  server.addHook('onRequest', async (request, reply) => {
    await admission.admit(request, reply)
    if (isClosing()) throw fail('unavailable')
    requireHost(request)
    refuseZeroInAddress(request)
    if (request.routeOptions.url !== runRoute) refuseDryRun(request)
    refuseLargeBody(request)
  })
  server.addHook('preParsing', async (request, _reply, body) => limitBody(request, body))
  // A body arrives in the events of its connection, which belong to no request.
  server.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done))
  server.addHook('preValidation', async (request, reply) => {
    await admission.admitBody(request)
    const points = pointsOfUnannounced(request)
    if (points > 0) await admission.weigh(request, reply, points)
  })

  // RFC 9110 lets a server ignore an Expect that it does not know; Node would refuse it without our headers.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )

  server.setNotFoundHandler(nothingHere)
  server.setErrorHandler(async (thrown, request, reply) => {
    const error = fromFastify(thrown, request.routeOptions.bodyLimit) ?? toCallError(thrown)
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
    if (error.status === 401) reply.header('www-authenticate', 'Bearer')
    if (error.challenge !== undefined) reply.headers(error.challenge.headers)
    const describe = request.routeOptions.config.errorBody ?? errorBody
    return reply
      .code(error.status)
      .header('content-type', 'application/json; charset=utf-8')
      .send(errorText(describe(error), error))
  })
  return server
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
    // A connection that was opened ahead of a call is waited for like a call, and no call may ever come.
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
    message: 'There is nothing at this address. GET /api/run lists the actions.',
  })
}

/** RFC 9112: a request of HTTP/1.1 names its host. Throws `bad_request`. */
function requireHost({ raw }: FastifyRequest): void {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return
  throw fail('bad_request', { message: 'The request has no Host header. Send one.' })
}

/** The runner logs the failures of calls itself. */
export const runRoute = '/api/run/:service/:action'

/** Who must be known. Throws `invalid_token` when nobody is. */
export function requireCaller(request: FastifyRequest): AccountCaller {
  if (request.caller === undefined) throw fail('invalid_token')
  return request.caller
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of the operator: its bearer token is ADMIN_TOKEN, not an API key. */
    operator?: boolean
    /** It offers nothing: it answers for methods that an address does not take, or addresses that are not there. */
    completes?: boolean
    /** How long a body may be without an API key or a payment, where it is not the usual. */
    strangerBodyBytesMax?: (request: FastifyRequest) => number
    /** Its texts may hold U+0000: they are passed on, and what is stored of them is JSON. */
    takesZeros?: boolean
    /** How this route's clients read an error, where they are not ours. */
    errorBody?: (error: CallError) => object
  }
}

const fastifyCodes: Readonly<Record<string, (bodyBytesMax?: number) => CallError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (most = bodyBytesMax) =>
    fail('payload_too_large', { message: `The body is larger than ${most} bytes. Send less.` }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    fail('bad_request', { message: 'Content-Length does not match the body.' }),
}

function fromFastify(thrown: unknown, bodyBytesMax?: number): CallError | undefined {
  const { code, statusCode } = thrown as { code?: string; statusCode?: number }
  const known = code === undefined ? undefined : fastifyCodes[code]
  if (known !== undefined) return known(bodyBytesMax)
  if (code?.startsWith('FST_') && statusCode !== undefined && statusCode < 500) {
    return fail('bad_request', { message: 'The request could not be read.', cause: thrown })
  }
  return undefined
}
