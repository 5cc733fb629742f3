// MCP on standard input and output for a client that starts programs: each message is relayed to /mcp of a gateway,
// here or elsewhere, and its answer is written back. The relay decides nothing and repeats nothing, so it cannot pay
// twice.
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { TollwayError } from '@tollway/client'
import { startCommand } from './own-words.ts'
import { errorOf } from './usage-error.ts'

/** More requests than this wait until an earlier one has its answer. */
const inFlightMax = 32
const parseErrorCode = -32_700
const internalErrorCode = -32_603
/** Where a message of revision 2026-07-28 states its revision. */
const revisionMember = 'io.modelcontextprotocol/protocolVersion'

interface Message {
  readonly id?: string | number | undefined
  readonly method?: string
  readonly params?: {
    readonly name?: unknown
    readonly uri?: unknown
    readonly requestId?: unknown
    readonly _meta?: Readonly<Record<string, unknown>>
  }
  readonly result?: { readonly protocolVersion?: unknown }
}

export interface StdioOptions {
  /** The address of the gateway, without `/mcp`. */
  readonly url: string
  /** Asked before each request. Undefined for a client without an account. */
  readonly currentKey: () => Promise<string | undefined>
  /** Actions that are tools of their own. */
  readonly tools?: readonly string[]
  readonly input: Readable
  readonly output: { write(text: string): unknown }
}

/** Resolves when the input has ended and every request has its answer. */
export async function runStdio({ url, currentKey, tools = [], input, output }: StdioOptions) {
  const endpoint = new URL(`${url.replace(/\/+$/, '')}/mcp`)
  if (tools.length > 0) endpoint.searchParams.set('tools', tools.join())
  const inFlight = new Map<Message['id'], AbortController>()
  const relayed = new Set<Promise<void>>()
  /** The revision that `initialize` has agreed on. Later requests of that revision state it in a header. */
  let agreed: string | undefined

  const write = (message: object) => {
    output.write(`${JSON.stringify(message)}\n`)
  }
  const answer = (message: Message) => {
    const revision = message.result?.protocolVersion
    if (typeof revision === 'string') agreed = revision
    write(message)
  }
  const refuse = (id: Message['id'] | null, code: number, message: string) =>
    write({ jsonrpc: '2.0', id, error: { code, message } })

  async function relay(message: Message) {
    const { id } = message
    const left = new AbortController()
    if (id !== undefined) inFlight.set(id, left)
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: headersOf(message, { key: await currentKey(), agreed }),
        body: JSON.stringify(message),
        signal: left.signal,
      })
      let isAnswered = false
      for await (const received of messagesOf(response)) {
        if (received.method === undefined) isAnswered = true
        // A refusal of the whole request carries no id.
        answer(received.method === undefined ? { ...received, id: received.id ?? id } : received)
      }
      if (id === undefined || isAnswered) return
      refuse(id, internalErrorCode, missingAnswer(url, response.status))
    } catch (thrown) {
      if (id === undefined || left.signal.aborted) return
      refuse(id, internalErrorCode, explain(thrown, url))
    } finally {
      inFlight.delete(id)
    }
  }

  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const message = read(line)
    if (message === undefined) {
      refuse(null, parseErrorCode, 'A line must be one JSON-RPC message.')
      continue
    }
    if (message.method === 'notifications/cancelled') {
      const { requestId } = message.params ?? {}
      // Over HTTP a request is cancelled by closing its connection.
      inFlight.get(requestId as Message['id'])?.abort()
      continue
    }
    const relaying = relay(message).finally(() => relayed.delete(relaying))
    relayed.add(relaying)
    if (relayed.size >= inFlightMax) await Promise.race(relayed)
  }
  await Promise.all(relayed)
}

function read(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? message
      : undefined
  } catch {
    return undefined
  }
}

/** Revision 2026-07-28 repeats parts of a request in headers, so that proxies need not read its body. */
function headersOf(
  { method, params }: Message,
  { key, agreed }: { key: string | undefined; agreed: string | undefined },
): Record<string, string> {
  const revision = params?._meta?.[revisionMember]
  const name = params?.name ?? params?.uri
  return {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(typeof revision === 'string'
      ? {
          'mcp-protocol-version': revision,
          'mcp-method': method ?? '',
          ...(typeof name === 'string' && { 'mcp-name': encodeName(name) }),
        }
      : agreed !== undefined && { 'mcp-protocol-version': agreed }),
  }
}

/** Headers hold visible ASCII. Source: MCP 2026-07-28, "Streamable HTTP", "Value Encoding". */
const encodeName = (name: string) =>
  /^[!-~]([ -~]*[!-~])?$/.test(name) && !name.startsWith('=?base64?')
    ? name
    : `=?base64?${Buffer.from(name).toString('base64')}?=`

/** One message as JSON, or the messages of an event stream. */
async function* messagesOf(response: Response): AsyncGenerator<Message> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body !== null) {
    for await (const data of eventsOf(response.body)) yield JSON.parse(data)
  } else if (type.startsWith('application/json')) yield await response.json()
  else await response.body?.cancel()
}

/** The data of each event. Source: HTML, "Server-sent events". */
async function* eventsOf(body: NonNullable<Response['body']>): AsyncGenerator<string> {
  let data: string[] = []
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
}

const missingAnswer = (url: string, status?: number) =>
  `The gateway at ${url} did not answer${status === undefined ? '' : ` (HTTP ${status})`}. Check that it runs. A paid call may have been made: repeat it with the same idempotency_key.`

function explain(thrown: unknown, url: string): string {
  // Of the key: nothing was sent.
  if (thrown instanceof TollwayError) return thrown.message
  if (isUnreachable(thrown))
    return `No gateway runs at ${url}, so nothing was called. Start one with \`${startCommand}\` in a terminal, or name another by TOLLWAY_URL or --gateway.`
  return `${missingAnswer(url)} ${reasonOf(thrown)}`
}

const isUnreachable = (thrown: unknown) =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(String(errorOf(errorOf(thrown).cause).code))

function reasonOf(thrown: unknown): string {
  const { message, cause } = errorOf(thrown)
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
