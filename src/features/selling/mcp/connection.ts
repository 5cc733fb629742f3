// A connection to an MCP server that lasts as long as the server does, and begins anew with the next call after that.
import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
} from '@modelcontextprotocol/client'
import { z } from 'zod'
import { CallError, fail } from '#core/errors.ts'
import { membersOf } from '#core/input/members.ts'
import type { Log } from '#core/ports.ts'

/** A tool as its server lists it. */
const listedTool = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
})
export type McpTool = z.output<typeof listedTool>

interface ContentBlock {
  readonly type: string
  readonly text?: unknown
}

const isRecord = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const contentBlock = z.custom<ContentBlock>(
  (value) => isRecord(value) && typeof membersOf(value).type === 'string',
)

/**
 * What a tool answers with. Its parts stay as the server has sent them, so that clients read the same bytes. What asks
 * for input, or names a task, does not answer.
 */
const toolResult = z
  .looseObject({
    content: z.array(contentBlock).optional(),
    structuredContent: z.custom<Record<string, unknown>>(isRecord).optional(),
    isError: z.boolean().optional(),
  })
  .refine(({ content, structuredContent }) => content ?? structuredContent, 'It has no content.')
  .transform(({ content = [], ...result }) => ({ ...result, content }))
export type McpToolResult = z.output<typeof toolResult>

export interface McpProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

export interface McpToolCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Cancels the call at the server too. */
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly onProgress?: ((progress: McpProgress) => void) | undefined
}

export interface McpConnection {
  /** What the server says of itself, and its tools. Throws a CallError. */
  list(): Promise<McpServerList>
  /** Throws a CallError; also for a tool that answers with an error. */
  call(call: McpToolCall): Promise<McpToolResult>
  close(): Promise<void>
}

/** See CircuitBreaker. */
export interface ServerCircuit {
  enter(): Promise<void>
  leave(outcome: 'alive' | 'down' | 'unknown'): Promise<void>
}

export interface McpServerList {
  readonly title: string
  readonly version: string
  readonly tools: readonly McpTool[]
  /** It has more of them than an import takes. */
  readonly isCut: boolean
}

const connectTimeoutMs = 60_000
/** A program that answers no ping in this time, after a call that was late, hangs. */
const pingTimeoutMs = 10_000
const pagesMax = 50
/** Tools that become actions. */
export const toolsMax = 2_000
const errorCharactersMax = 1_000
/** What a caller of a busy server waits before it calls again. */
const busySeconds = 5

interface ConnectionDependencies {
  readonly openTransport: () => Transport
  readonly version: string
  readonly log: Log
  /** Removes the operator's key from a text. */
  readonly redact?: (text: string) => string
  /** The server may have other tools than before: it says so, or it was connected anew. */
  readonly onToolsChanged?: (() => void) | undefined
  /** Pauses calls to a server that is down. */
  readonly circuit?: ServerCircuit | undefined
  /** The server is a program of this gateway, which ends with the connection. */
  readonly isProgram?: boolean
}

export function createMcpConnection(dependencies: ConnectionDependencies): McpConnection {
  const { log, redact = (text) => text } = dependencies
  const readFailure = createFailureReader(redact, log)
  const inCircuit = createBreaker(dependencies.circuit, readFailure.isDown)
  const { ask, endIfHung, close } = createSession({ ...dependencies, redact }, readFailure)

  return {
    async list() {
      return await ask(async (client) => {
        const { name = '', title, version = '' } = client.getServerVersion() ?? {}
        const list = { title: title ?? name, version, ...(await listTools(client)) }
        return safely(list, redact)
      })
    },
    async call({ tool, arguments: sent, signal, timeoutMs, onProgress }) {
      const send = (client: Client) =>
        client.request(
          { method: 'tools/call', params: { name: tool, arguments: { ...sent } } },
          toolResult,
          {
            signal,
            timeout: timeoutMs,
            ...(onProgress && { onprogress: (step) => onProgress(safely(step, redact)) }),
          },
        )
      const result = await inCircuit(() => ask(send), signal).catch((thrown) => {
        const isLateCall = signal.aborted ? isLate(signal) : readFailure.isDown(thrown)
        if (dependencies.isProgram && isLateCall) void endIfHung()
        signal.throwIfAborted()
        throw thrown
      })
      if (result.isError === true) throw toolFailure(result, redact)
      return safely(result, redact)
    },
    close,
  }
}

/** The session with the server: begun by the first request, and anew by the first one after its end. */
function createSession(
  {
    openTransport,
    version,
    log,
    redact,
    onToolsChanged,
  }: ConnectionDependencies & Required<Pick<ConnectionDependencies, 'redact'>>,
  readFailure: FailureReader,
) {
  let opened: Promise<Client> | undefined
  let current: Client | undefined
  /** Requests under way, by the client that waits for their answers. */
  const underWay = new Map<Client, number>()
  let isClosed = false
  /** What it has last done wrong, or said as it ended. */
  let problem: Error | undefined

  async function connect(): Promise<Client> {
    problem = undefined
    const client = new Client({ name: 'tollway', version }, { capabilities: {} })
    current = client
    client.onerror = (error) => {
      problem = error instanceof CallError ? error : new Error(redact(error.message))
      log.warn({ err: problem }, 'An MCP server has sent what cannot be read.')
    }
    client.onclose = () => {
      if (current === client) opened = undefined
    }
    client.setNotificationHandler('notifications/tools/list_changed', () => onToolsChanged?.())
    await client.connect(openTransport(), { timeout: connectTimeoutMs })
    onToolsChanged?.()
    return client
  }

  function open(): Promise<Client> {
    if (isClosed)
      throw fail('unavailable', { message: 'The gateway is stopping. Call again in a moment.' })
    if (opened === undefined) {
      const begun = connect().catch((thrown) => {
        if (opened === begun) opened = undefined
        throw readFailure(thrown, problem)
      })
      opened = begun
    }
    return opened
  }

  /** A client whose session the server has forgotten is closed after the last request that waits at it. */
  async function useOnce<Result>(
    client: Client,
    use: (client: Client) => Promise<Result>,
  ): Promise<Result> {
    underWay.set(client, (underWay.get(client) ?? 0) + 1)
    try {
      return await use(client)
    } catch (thrown) {
      // Another request may have seen it first, and has connected anew.
      if (isForgotten(thrown) && current === client) {
        current = undefined
        opened = undefined
      }
      throw thrown
    } finally {
      const left = (underWay.get(client) ?? 1) - 1
      if (left > 0) underWay.set(client, left)
      else underWay.delete(client)
      if (left === 0 && client !== current) await client.close().catch(() => {})
    }
  }

  /** Once more where the server has forgotten the session: then it has not seen the request. */
  async function ask<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
    const client = await open()
    try {
      return await useOnce(client, use)
    } catch (thrown) {
      if (!isForgotten(thrown)) throw readFailure(thrown, problem)
    }
    const again = await open()
    return await useOnce(again, use).catch((thrown) => Promise.reject(readFailure(thrown, problem)))
  }

  /** The next call starts the program anew. What others wait for would never come either. */
  async function endIfHung(): Promise<void> {
    const client = await opened?.catch(() => undefined)
    if (client === undefined || (await answersPing(client)) || current !== client) return
    log.warn({ pingTimeoutMs }, 'A program that serves MCP has hung, and is ended.')
    await client.close().catch(() => {})
  }

  return {
    ask,
    endIfHung,
    async close() {
      isClosed = true
      // Also one that is not connected yet: its server may never answer.
      await Promise.allSettled([current?.close(), opened])
    },
  }
}

/** A server that does not know the method has answered too. */
async function answersPing(client: Client): Promise<boolean> {
  try {
    await client.request({ method: 'ping' }, z.looseObject({}), { timeout: pingTimeoutMs })
    return true
  } catch (thrown) {
    return thrown instanceof ProtocolError
  }
}

/** Refuses calls while the server is down. */
function createBreaker(
  circuit: ServerCircuit | undefined,
  saysDown: (failure: unknown) => boolean,
) {
  return async <Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
    await circuit?.enter()
    try {
      const result = await work()
      await circuit?.leave('alive')
      return result
    } catch (thrown) {
      const isDown = signal.aborted ? isLate(signal) : saysDown(thrown)
      await circuit?.leave(isDown ? 'down' : signal.aborted ? 'unknown' : 'alive')
      throw thrown
    }
  }
}

/** The server took too long; the caller has not gone. */
const isLate = ({ reason }: AbortSignal) =>
  reason instanceof CallError && reason.code === 'upstream_error'

/** Without the operator's key. */
function safely<Value>(value: Value, redact: (text: string) => string): Value {
  const text = JSON.stringify(value)
  const safe = redact(text)
  return safe === text ? value : JSON.parse(safe)
}

const toolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })

/** A tool that is not described as the protocol asks for is left out. */
async function listTools(client: Client): Promise<Pick<McpServerList, 'tools' | 'isCut'>> {
  const tools: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax && tools.length < toolsMax; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await client.request({ method: 'tools/list', params }, toolPage)
    for (const sent of answer.tools) {
      const tool = listedTool.safeParse(sent)
      if (tool.success) tools.push(tool.data)
    }
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  return { tools: tools.slice(0, toolsMax), isCut: cursor !== undefined || tools.length > toolsMax }
}

/** By the protocol the status is 404. Servers of the official library’s examples answer 400 with a sentence. */
const isForgotten = (thrown: unknown) =>
  thrown instanceof SdkHttpError &&
  (thrown.status === 404 || (thrown.status === 400 && /\bsession\b/i.test(thrown.message)))

function toolFailure({ content }: McpToolResult, redact: (text: string) => string): CallError {
  const texts = content.flatMap((block) => (typeof block.text === 'string' ? [block.text] : []))
  const said = redact(texts.join(' ')).slice(0, errorCharactersMax).toWellFormed()
  return fail('upstream_error', {
    message: `The tool has failed, and nothing was charged: ${said || 'it does not say why'}`,
  })
}

interface FailureReader {
  (thrown: unknown, problem: Error | undefined): unknown
  /** Whether what was read says that the server is down, and not that it has refused. */
  isDown(failure: unknown): boolean
}

/** Why a server did not answer, for its caller. */
function createFailureReader(redact: (text: string) => string, log: Log): FailureReader {
  const down = new WeakSet<object>()

  function explain(thrown: unknown, problem: Error | undefined): CallError {
    const said = redact(thrown instanceof Error ? thrown.message : String(thrown))
    const cause = problem ?? new Error(said)
    if (thrown instanceof ProtocolError) {
      const message = said.slice(0, errorCharactersMax).toWellFormed()
      return thrown.code === ProtocolErrorCode.InvalidParams
        ? fail('bad_request', { message, cause })
        : fail('upstream_error', {
            message: `The tool’s server has failed: ${message}`,
            cause,
          })
    }
    if (thrown instanceof SdkHttpError) return readStatus(thrown.status, { said, log })
    // Why the gateway has closed the connection.
    if (problem instanceof CallError) return problem
    if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout)
      return fail('upstream_error', {
        message: 'The tool’s server did not answer in time. Nothing was charged; try again.',
        cause,
      })
    return fail('upstream_error', { cause })
  }

  function read(thrown: unknown, problem: Error | undefined): unknown {
    if (thrown instanceof CallError) return thrown
    const failure = explain(thrown, problem)
    const hasAnswered =
      thrown instanceof ProtocolError ||
      (thrown instanceof SdkHttpError && thrown.status < 500) ||
      (thrown instanceof SdkError && thrown.code === SdkErrorCode.InvalidResult)
    if (!hasAnswered) down.add(failure)
    return failure
  }
  return Object.assign(read, {
    isDown: (failure: unknown) => failure instanceof CallError && down.has(failure),
  })
}

function readStatus(status: number, { said, log }: { readonly said: string; readonly log: Log }) {
  const cause = new Error(`The server answered ${status}. ${said}`)
  if (status === 401 || status === 403)
    log.error({ status }, 'Operator alert: an MCP server refuses this gateway. Check its key.')
  return status === 429
    ? fail('rate_limited', {
        message: 'The tool’s server takes no more calls for now. Nothing was charged.',
        retryAfterSeconds: busySeconds,
        cause,
      })
    : fail('upstream_error', { cause })
}
