// Answers as server-sent events, each with its type. The last one waits for the charge, which it tells.
import type { CallError } from '#core/errors.ts'
import type { SurfaceUsage } from '#core/models/surfaces.ts'
import { type ChatFields, isObject } from '../llm/conversation/fields.ts'
import { readFailureReply, statusOfError, type UpstreamFailure } from '../llm/exchange/failure.ts'
import { createEventSplitter, fromLatin1 } from '../llm/exchange/sse.ts'
import { chatErrorBody } from '../llm/surface/chat/error-body.ts'
import { type AnswerReader, type StreamedRequest, usageWith } from './request.ts'

export interface EventRules {
  /** Types of events that are passed on as they come. Others are left out. */
  readonly passed: readonly string[]
  readonly lastType: string
  /** The events of an answer that came whole, the last of them at the end. Throws for what is not an answer. */
  readonly eventsOf: (whole: unknown) => readonly ChatFields[]
  /** Throws if the last event does not have what was asked for. */
  readonly usageOf: (last: ChatFields) => SurfaceUsage | undefined
  /** The longest event, and the longest answer that comes whole. */
  readonly eventBytesMax: number
}

/** What all requests have whose answers are events. */
export const eventAnswer = {
  type: 'text/event-stream; charset=utf-8',
  headers: { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' },
  takes: (mediaType: string) => /^(?:text\/event-stream|application\/json)\b/i.test(mediaType),
  store: (sent: Buffer) => JSON.stringify({ events: sent.toString() }),
  replay: (stored: unknown) => ({
    type: 'text/event-stream; charset=utf-8',
    body: isObject(stored) ? String(stored.events) : '',
  }),
  writeFailure: (failed: CallError) => writeEvents([{ type: 'error', ...chatErrorBody(failed) }]),
} satisfies Partial<StreamedRequest>

export const writeEvents = (events: readonly ChatFields[]): Buffer =>
  Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  )

/** The last event, once the charge is known. */
export const lastEvent =
  (event: ChatFields) =>
  (charge: Parameters<typeof usageWith>[1]): Buffer =>
    writeEvents([{ ...event, usage: usageWith(event.usage, charge) }])

/** A vendor tells an error in place of an answer, or in the middle of it. */
export class VendorError extends Error {
  readonly failure: UpstreamFailure
  constructor(event: ChatFields) {
    super('an error event')
    this.failure = readFailureReply(statusOfError(event.error), event)
  }
}

/** Reads events, or an answer that comes whole although events were asked for. */
export function openEventReader(rules: EventRules): AnswerReader {
  const waiting: ChatFields[] = []
  let last: ChatFields | undefined
  let whole: Buffer[] | undefined
  let wholeBytes = 0
  let isFirst = true
  function add(event: unknown) {
    if (!isObject(event)) throw new Error('an event that is not an object')
    if (event.error != null || event.type === 'error') throw new VendorError(event)
    if (last !== undefined) return
    if (event.type === rules.lastType) last = event
    else if (rules.passed.includes(event.type)) waiting.push(event)
  }
  function readWhole(answer: unknown) {
    if (isObject(answer) && answer.error != null) throw new VendorError(answer)
    rules.eventsOf(answer).forEach(add)
  }
  const splitter = createEventSplitter((data) => {
    if (data !== '[DONE]') add(JSON.parse(fromLatin1(data)))
  }, rules.eventBytesMax)
  function take(): Buffer {
    return writeEvents(waiting.splice(0))
  }
  return {
    feed(chunk) {
      if (isFirst && chunk.toString('latin1').trimStart().startsWith('{')) whole = []
      isFirst = false
      if (whole === undefined) {
        splitter.feed(chunk)
        return take()
      }
      wholeBytes += chunk.length
      if (wholeBytes > rules.eventBytesMax) throw new RangeError('The answer is too long.')
      whole.push(chunk)
      return Buffer.of()
    },
    end() {
      if (whole === undefined) splitter.end()
      else readWhole(JSON.parse(Buffer.concat(whole).toString()))
      if (last === undefined) throw new Error('an answer without its last event')
      const [before, event] = [take(), last]
      const usage = rules.usageOf(event)
      const finish = lastEvent(event)
      return { usage, rest: (charge) => Buffer.concat([before, finish(charge)]) }
    },
  }
}
