// The body of an answer of an MCP server over HTTP, as the library may read it.
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CallError } from '#core/errors.ts'
import { refuseManyNames } from '#platform/http/field-names.ts'
import { failureOf, type MessageGate } from './message-gate.ts'
import { countMessage, createEventReader, messageOf, parseMessage } from './message-limits.ts'

/** What was asked. `id` is undefined for what has no answer. */
interface Asked {
  readonly id: unknown
  readonly signal: AbortSignal | null | undefined
}

/**
 * The library holds what it reads in memory and waits for an answer that does not come until the call's time is over.
 * So an answer that is too large breaks off, and where the answer to the request is missing there is an error for it.
 */
export function readableAnswer(reply: Response, asked: Asked, gate: MessageGate): Response {
  const { body } = reply
  if (body === null) return reply
  const isStream = /^text\/event-stream\b/i.test(reply.headers.get('content-type') ?? '')
  if (isStream) return withBody(reply, readEvents(body, asked, gate))
  const whole = withBody(reply, readMessage(body))
  // The library reads the messages by it.
  return Object.assign(whole, { json: async () => readMessages(await whole.text(), asked, gate) })
}

const withBody = (reply: Response, parts: AsyncIterable<Uint8Array>) =>
  new Response(Readable.toWeb(Readable.from(parts)) as ReadableStream<Uint8Array>, reply)

async function* readMessage(body: ReadableStream<Uint8Array>) {
  const count = countMessage()
  for await (const chunk of body) {
    count(chunk)
    yield chunk
  }
}

/** Throws SyntaxError, and a CallError for too many names of fields. */
function readMessages(text: string, { id }: Asked, gate: MessageGate): readonly unknown[] {
  refuseManyNames(text)
  const read: unknown = JSON.parse(text)
  const messages = [read].flat().map(gate.readable).filter(gate.admit)
  return id !== undefined && gate.awaits(id) ? [...messages, failureOf(id, noAnswer)] : messages
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { id, signal }: Asked,
  gate: MessageGate,
) {
  const eventsIn = createEventReader()
  const admittedOf = (event: Buffer): readonly Buffer[] => {
    const text = messageOf(event)
    if (text === undefined) return [event]
    refuseManyNames(text)
    const sent = parseMessage(text)
    const message = gate.readable(sent)
    if (!gate.admit(message)) return []
    return message === sent ? [event] : [eventOf(message)]
  }
  let isResumable = false
  let failure: string | undefined
  try {
    for await (const chunk of body) {
      // The library asks for the rest of such a stream.
      isResumable ||= /(^|[\r\n])id:/.test(Buffer.from(chunk).toString('latin1'))
      const admitted = eventsIn(chunk).flatMap(admittedOf)
      if (admitted.length > 0) yield Buffer.concat(admitted)
      // Other callers are answered between the parts of a stream that comes without a pause.
      await nextTurn()
    }
    if (!isResumable && gate.awaits(id)) failure = noAnswer
  } catch (thrown) {
    const isRefused = thrown instanceof CallError
    if (id === undefined || signal?.aborted || (isResumable && !isRefused)) throw thrown
    failure = isRefused ? thrown.message : 'The answer broke off. Nothing was charged.'
  }
  if (id !== undefined && failure !== undefined) yield eventOf(failureOf(id, failure))
}

const eventOf = (message: unknown) =>
  Buffer.from(`\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)

const noAnswer = 'It has sent no answer to this request. Nothing was charged.'
