// The MCP server for one request. It holds no state: tools are listed once for all requests, and a call knows only its
// caller.
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { z } from '#core/action.ts'
import type { CallListener } from '#core/calls/call-listener.ts'
import { fail, toCallError } from '#core/errors.ts'
import { describeIssues } from '#core/input/issues.ts'
import { publicHint } from './cache-hint.ts'
import type { McpContents } from './contents/contents.ts'
import { showAnswer } from './envelope.ts'
import type { McpPayments, Meta } from './payments.ts'
import { findAction, type SentCall, showRefusal } from './refusal.ts'
import type { Tool, ToolCall } from './tools/tool.ts'

const instructions =
  'Tollway sells actions: search, page reading, company and people data, court records, code sandboxes, media and more. Call discover with what you want, then run the hit that fits. Everything but run, batch and session is free, and failed calls are never charged. Errors carry next, the call that fixes them.'

/** The part of a call that its request brings, and what it leaves for the answer. */
export interface CallContext extends Omit<ToolCall, 'report' | 'signal' | 'listener'> {
  /** Receipts of what the call has paid. */
  receipts(): Meta
}

export interface RequestContext {
  /** Opens the call of a tool with this `_meta`. Throws `bad_request` where its payment is not clear. */
  openCall(call: SentCall, meta: Meta): CallContext
  /** Notes a refusal of the call, and says how it can be paid. */
  readonly challenge: McpPayments['challenge']
}

export function createMcpServer(
  {
    tools,
    contents,
    version,
  }: { tools: ReadonlyMap<string, Tool>; contents: McpContents; version: string },
  request: RequestContext,
): Server {
  const server = new Server(
    { name: 'tollway', title: 'Tollway', version },
    {
      capabilities: { tools: {}, ...contents.capabilities },
      instructions,
      cacheHints: { 'tools/list': publicHint, ...contents.cacheHints },
    },
  )
  contents.addTo(server)
  const listed = [...tools.values()].map((tool) => tool.listed)
  server.setRequestHandler('tools/list', () => ({ tools: listed }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: sent = {} } = params
    const tool = tools.get(name)
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool called ${name.slice(0, 100)}. tools/list names all tools; actions are run with the tool run.`,
        { next: findAction(name.slice(0, 100)) },
      )
    const report = createReport(mcpReq)
    const { signal } = mcpReq
    const listener = createListener(mcpReq)
    try {
      const { receipts, ...context } = request.openCall(
        { tool: name, arguments: sent },
        mcpReq._meta ?? {},
      )
      const answer = showAnswer(await tool.call(sent, { ...context, report, signal, listener }))
      return { ...answer, _meta: { ...answer._meta, ...receipts() } }
    } catch (thrown) {
      const error = refusalOf(thrown, tool)
      return request.challenge(
        showRefusal(error, { tool: name, arguments: sent, action: tool.action }),
        error,
      )
    }
  })
  return server
}

function refusalOf(thrown: unknown, { listed }: Tool) {
  if (!(thrown instanceof z.ZodError)) return toCallError(thrown)
  const names = Object.keys(listed.inputSchema.properties ?? {})
  return fail('bad_request', { message: describeIssues(thrown, names).message })
}

interface ProgressRequest {
  readonly _meta?: { progressToken?: string | number | undefined } | undefined
  readonly notify: (notification: {
    method: string
    params: Record<string, unknown>
  }) => Promise<void>
}

/** Reports only progress: the protocol asks for numbers that rise. */
function createReport(request: ProgressRequest): ToolCall['report'] {
  const send = createProgress(request)
  return (percent, phase) => send(percent, { total: 100, message: phase })
}

/** In the numbers of the tool that works. */
function createListener({ signal, ...request }: ProgressRequest & { signal: AbortSignal }) {
  const send = createProgress(request)
  const report: CallListener['report'] = ({ phase, done, total }) => {
    const rest = { ...(total > 0 && { total }), ...(phase !== '' && { message: phase }) }
    // A client that has gone sees nothing.
    send(done, rest).catch(() => {})
  }
  return { report, signal }
}

function createProgress({ _meta, notify }: ProgressRequest) {
  let reported = -1
  const progressToken = _meta?.progressToken
  return async (progress: number, rest: object) => {
    if (progressToken === undefined || progress <= reported) return
    reported = progress
    const params = { progressToken, progress, ...rest }
    await notify({ method: 'notifications/progress', params })
  }
}
