// The two ways to an MCP server: streamable HTTP, and the standard input and output of a program.
import {
  parseJSONRPCMessage,
  StreamableHTTPClientTransport,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Agent, RequestInfo, RequestInit } from 'undici'
import { fetch } from 'undici'
import type { CallError } from '#core/errors.ts'
import { errorOf } from '#core/errors.ts'
import { hasTooManyNames, tooManyNames } from '#platform/http/field-names.ts'
import type { RunningProgram } from '#platform/sandbox/bubblewrap.ts'
import { readableAnswer } from './answer-body.ts'
import {
  createMessageGate,
  failureOf,
  type MessageGate,
  toolsChangedMessage,
} from './message-gate.ts'
import {
  createLineReader,
  edgesOf,
  idOfLongLine,
  type LongLine,
  parseMessage,
  tooLarge,
} from './message-limits.ts'

/** `headers` hold the operator's credential. `admit` throws for an address that may not be reached. */
export function createHttpTransport(
  address: string,
  terms: {
    readonly agent: Agent
    readonly admit: (url: URL) => void
    readonly headers: Readonly<Record<string, string>>
  },
): Transport {
  const gate = createMessageGate(() => transport.onmessage?.(toolsChangedMessage))
  const send = async (url: string | URL, init?: globalThis.RequestInit): Promise<Response> => {
    terms.admit(new URL(url))
    const sent = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    gate.expect(sent)
    const options = { ...(init as RequestInit), dispatcher: terms.agent }
    const reply = (await fetch(url as RequestInfo, options)) as unknown as Response
    return readableAnswer(reply, { id: sent.id, signal: init?.signal }, gate)
  }
  const transport: Transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: send,
    requestInit: { headers: terms.headers },
  })
  return transport
}

/** `start` starts the program when the client connects. Its end is the end of the connection. */
export function createProgramTransport(
  start: (signal: AbortSignal) => Promise<RunningProgram>,
): Transport {
  const ending = new AbortController()
  const gate = createMessageGate(() => transport.onmessage?.(toolsChangedMessage))
  let running: RunningProgram | undefined

  const transport: Transport = {
    async start() {
      running = await start(ending.signal)
      const { input, output, ended } = running
      input.on('error', (error) => transport.onerror?.(error))
      const readLines = createLineReader({
        line: (line) => readMessage(line, transport, gate),
        longLine: (line) => refuseAnswer(line, tooLarge(), { transport, gate }),
      })
      output.on('data', (chunk: Buffer) => {
        try {
          readLines(chunk)
        } catch (thrown) {
          transport.onerror?.(errorOf(thrown))
          end()
        }
        // Other callers are answered between the parts of an output that comes without a pause.
        output.pause()
        setImmediate(() => output.resume())
      })
      output.on('error', (error) => transport.onerror?.(error))
      void ended
        .then(({ exitCode, errors }) => {
          if (exitCode !== 0)
            transport.onerror?.(new Error(`The program ended: ${errors.slice(-500)}`))
        })
        .catch(() => {})
        // After the last answer.
        .finally(() => setImmediate(() => transport.onclose?.()))
    },
    async send(message) {
      if (running === undefined) throw new Error('The program was not started.')
      gate.expect(message)
      running.input.write(serializeMessage(message))
    },
    async close() {
      end()
      await running?.ended.catch(() => {})
    },
  }
  function end() {
    ending.abort(new Error('The connection was closed.'))
  }
  return transport
}

/**
 * A line that is not JSON is a message of the program to people: it is left out. The library handles a notification in
 * a later turn than an answer, after which it knows of no progress. So an answer waits for what came before it.
 */
function readMessage(line: string, transport: Transport, gate: MessageGate): void {
  if (!/^\s*\{/.test(line)) return
  if (hasTooManyNames(line)) {
    refuseAnswer(edgesOf(line), tooManyNames(), { transport, gate })
    return
  }
  const sent = gate.readable(parseMessage(line))
  if (!gate.admit(sent) || sent === undefined) return
  try {
    const message = parseJSONRPCMessage(sent)
    if ('method' in message) transport.onmessage?.(message)
    else setImmediate(() => transport.onmessage?.(message))
  } catch (thrown) {
    transport.onerror?.(errorOf(thrown))
  }
}

/** Fails the call that has asked for too much, and no other. Throws where it is not known which one that is. */
function refuseAnswer(
  line: LongLine,
  refusal: CallError,
  { transport, gate }: { readonly transport: Transport; readonly gate: MessageGate },
): void {
  const id = idOfLongLine(line)
  if (!gate.awaits(id)) throw refusal
  readMessage(JSON.stringify(failureOf(id, refusal.message)), transport, gate)
}
