// POST /mcp: the Model Context Protocol over streamable HTTP, without sessions.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { splitId } from '#core/catalog.ts'
import { type CallError, fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { Rail, RailId } from '#money/rails/rail.ts'
import { addRoute, type Handler } from '../doors/add-route.ts'
import { errorBody } from '../doors/error-body.ts'
import type { Guide } from '../doors/guide.ts'
import { findOwner, requireCaller } from '../doors/owner.ts'
import { sourceOf } from '../doors/rate-limit.ts'
import { defineRoute } from '../doors/route.ts'
import { anyObject } from '../doors/shapes.ts'
import { createContents } from './contents/contents.ts'
import { requireKnownHost } from './hosts.ts'
import { createMcpPayments, type Meta } from './payments.ts'
import { nextRequest } from './refusal.ts'
import { createAnswerRequest } from './revisions.ts'
import { createRunningRequests, sessionHeader } from './running-requests.ts'
import { createMcpServer, type RequestContext } from './server.ts'
import { createTools, type ToolDependencies } from './tools/tools.ts'

/** JSON-RPC: the request is not valid. */
const invalidRequestCode = -32_600

interface Dependencies extends ToolDependencies {
  /** Those that payments in `_meta` may come by. */
  readonly rails: ReadonlyMap<RailId, Rail>
  readonly guide: Guide
  readonly version: string
  readonly baseUrl: () => string
}

export const answerMcp = defineRoute({
  method: 'post',
  path: '/mcp',
  summary:
    'Answer a message of the Model Context Protocol, streamable HTTP, revisions 2026-07-28 and 2025-11-25. An API key is needed for what costs money.',
  body: anyObject,
  answer: anyObject,
  errors: ['bad_request', 'invalid_token', 'forbidden'],
})

export function addMcpRoute(server: FastifyInstance, dependencies: Dependencies) {
  const { version, baseUrl, keyless } = dependencies
  const { own, readPinned } = createTools(dependencies)
  const contentsOf = createContents(dependencies)
  const contextOf = createContext(server, dependencies)
  const answerRequest = createAnswerRequest()
  const running = createRunningRequests()

  const config = { errorBody: rpcError, showsPrices: true }
  const answer: Handler<typeof answerMcp> = async ({ request }, reply) => {
    const { host, origin } = request.headers
    requireKnownHost({ host, origin }, baseUrl())
    // A client that wants to sign in before its first call connects to /mcp?login.
    const { login, ...query } = membersOf(request.query)
    if (login !== undefined) requireCaller(request)
    // Each message of a batch counts like a request.
    const { body } = request
    if (Array.isArray(body) && body.length > 1) await server.weigh(request, reply, body.length - 1)
    const offered = [...own, ...readPinned(query, request.caller)]
    const tools = new Map(offered.map((tool) => [tool.listed.name, tool]))
    const context = contextOf(request, reply)
    const mcpServer = createMcpServer(
      { tools, contents: contentsOf(request.caller), version },
      context,
    )
    const left = new AbortController()
    reply.raw.once('close', () => left.abort())
    running.cancel(request)
    const end = running.begin(request, () => left.abort())
    reply.raw.once('close', end)
    const webRequest = toWebRequest(request, left.signal)
    const response = await Promise.race([
      answerRequest(mcpServer, webRequest, body),
      cancelledAnswer(left.signal),
    ])
    const session = running.sessionFor(body)
    if (session !== undefined && response.ok) response.headers.set(sessionHeader, session)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    const mayPay = request.caller !== undefined || keyless.rails.length > 0
    // A call that nothing can pay for is refused at once, so its answer needs no stream.
    if (isStream && mayPay) return reply.send(response)
    // Sent whole, it has a length and is compressed like any other answer.
    const text = await response.text()
    // Clients begin OAuth when they are refused like this. Elsewhere a tool's own error would be all that they see.
    if (context.needsAccount()) requireCaller(request)
    return reply.code(response.status).headers(Object.fromEntries(response.headers)).send(text)
  }
  addRoute(server, answerMcp, answer, { config })
}

interface AnsweredContext extends RequestContext {
  /** A call was refused because it needs an account and no rail can pay for it. */
  needsAccount(): boolean
}

/** What the tools may do for the caller of a request, and for the wallet that pays a call. */
function createContext(server: FastifyInstance, { runner, keyless, rails }: Dependencies) {
  const payments = createMcpPayments(rails)
  /** A signature of x402 has no place in `_meta`: its protocol knows the header alone. */
  const signInOf = (request: FastifyRequest) => {
    const presented = server.paymentHeaders.read(request)
    return presented?.signIn && presented
  }
  return (request: FastifyRequest, reply: FastifyReply): AnsweredContext => {
    const { caller } = request
    let needsAccount = false
    return {
      needsAccount: () => needsAccount,
      challenge(refusal, error) {
        needsAccount ||= caller === undefined && error.code === 'invalid_token'
        return payments.challenge(refusal, error)
      },
      openCall(call, meta) {
        const payment = payments.read(meta, sourceOf(request.ip)) ?? signInOf(request)
        if (payment !== undefined && caller !== undefined)
          throw fail('bad_request', {
            message: 'Send one payment or one API key, not both: it must be clear who pays.',
          })
        let receipts: Meta = {}
        return {
          caller,
          receipts: () => receipts,
          owner: () =>
            findOwner(keyless, request, { path: '/mcp', bodyText: JSON.stringify(call), payment }),
          async run({ action, params, idempotencyKey, wantsQuote = false, listener }) {
            const { body, headers } = await runner.handle({
              entry: runner.resolve(...splitId(action), caller),
              body: params,
              bodyText: JSON.stringify(params),
              payment: wantsQuote ? undefined : payment,
              caller,
              idempotencyKey,
              wantsQuote,
              listener,
              weigh: (points) => server.weigh(request, reply, points),
            })
            receipts = payments.receipt(headers, meta)
            return JSON.parse(body)
          },
        }
      },
    }
  }
}

/** What has been cancelled has no answer. */
const cancelledAnswer = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(new Response(null, { status: 202 })), {
      once: true,
    }),
  )

/** Its body is parsed already. */
function toWebRequest({ headers, url }: FastifyRequest, signal: AbortSignal): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  )
  return new Request(`http://${headers.host}${url}`, { method: 'POST', headers: pairs, signal })
}

/** A refusal of the whole request, in the form that clients of this protocol read. */
function rpcError(error: CallError) {
  const { message, ...body } = errorBody(error)
  const data = { ...body, next: nextRequest(error) }
  return { jsonrpc: '2.0', id: null, error: { code: invalidRequestCode, message, data } }
}
