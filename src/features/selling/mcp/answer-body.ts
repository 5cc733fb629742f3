// The body of an answer of an MCP server over HTTP, as the library may read it.
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CallError } from '#core/errors.ts'
import type { MessageGate } from './message-gate.ts'
import { countMessage, createEventReader, messageOf, parseMessage } from './message-limits.ts'

/**
 * The library holds what it reads in memory and waits for an answer whose stream has broken off until the call's time
 * is over. So an answer that is too large breaks off, and a stream that breaks off ends with an error for its request.
 */
export function readableAnswer(reply: Response, request: RequestInit, gate: MessageGate): Response {
  const { body } = reply
  if (body === null) return reply
  const isStream = /^text\/event-stream\b/i.test(reply.headers.get('content-type') ?? '')
  const parts = isStream ? readEvents(body, request, gate) : readMessage(body)
  return new Response(Readable.toWeb(Readable.from(parts)) as ReadableStream<Uint8Array>, reply)
}

async function* readMessage(body: ReadableStream<Uint8Array>) {
  const count = countMessage()
  for await (const chunk of body) {
    count(chunk)
    yield chunk
  }
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { signal, ...request }: RequestInit,
  gate: MessageGate,
) {
  const eventsIn = createEventReader()
  const isAdmitted = (event: Buffer) => {
    const message = messageOf(event)
    return message === undefined || gate.admit(parseMessage(message))
  }
  let isResumable = false
  try {
    for await (const chunk of body) {
      // The library asks for the rest of such a stream.
      isResumable ||= /(^|[\r\n])id:/.test(Buffer.from(chunk).toString('latin1'))
      const admitted = eventsIn(chunk).filter(isAdmitted)
      if (admitted.length > 0) yield Buffer.concat(admitted)
      // Other callers are answered between the parts of a stream that comes without a pause.
      await nextTurn()
    }
  } catch (thrown) {
    const id = requestIdOf(request.body)
    const isRefused = thrown instanceof CallError
    if (id === undefined || signal?.aborted || (isResumable && !isRefused)) throw thrown
    const message = isRefused ? thrown.message : 'The answer broke off. Nothing was charged.'
    const failure = { jsonrpc: '2.0', id, error: { code: serverError, message } }
    yield Buffer.from(`\n\nevent: message\ndata: ${JSON.stringify(failure)}\n\n`)
  }
}

/** Of JSON-RPC: a code that servers may give a meaning of their own. */
const serverError = -32_000

function requestIdOf(body: unknown): unknown {
  return typeof body === 'string' ? (JSON.parse(body) as { id?: unknown }).id : undefined
}
