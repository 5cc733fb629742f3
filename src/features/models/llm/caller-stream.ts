// The stream of events that one caller receives.
import type { EventSink } from './exchange/relay.ts'

export interface CallerStream {
  readonly sink: EventSink
  isOpen(): boolean
  /** Notes which model is asked now. */
  attempt(asked: AskedModel): void
  /**
   * Opens the stream, or says who answers in a stream that a keep-alive has opened. Called before the first content.
   */
  begin(): void
  /** JSON of everything sent, to be stored for the idempotency key; undefined if it is too large or there is no key. */
  stored(tail: string): string | undefined
  close(): void
}

export type OpenStream = (
  headers: Record<string, string>,
  /** Names of headers that come after the last event. */
  trailers: readonly string[],
) => EventSink

interface AskedModel {
  readonly slug: string
  readonly number: number
  /** No other model can be asked instead. */
  readonly last: boolean
}

const replayBytesMax = 4_000_000
const answererHeaders = ['x-model', 'x-attempts'] as const

/**
 * Opened by the first content or by the first keep-alive. If a keep-alive opens it while another model may still be
 * asked, a comment before the first content and the trailers say who answered.
 */
export function createCallerStream(dependencies: {
  readonly openStream: OpenStream
  readonly callId: string
  readonly keepAliveMs: number
  /** The sent text is kept for replays. */
  readonly keeps: boolean
}): CallerStream {
  const { openStream, callId, keepAliveMs } = dependencies
  let opened: EventSink | undefined
  let drain = () => {}
  let asked: AskedModel | undefined
  let untold = false
  let kept: string[] | undefined = dependencies.keeps ? [] : undefined
  let keptBytes = 0

  function open(begins: boolean): EventSink {
    if (opened !== undefined) return opened
    untold = !begins && asked?.last !== true
    const told = asked === undefined || untold ? {} : answeredBy(asked.slug, asked.number)
    opened = openStream({ 'x-transaction-id': callId, ...told }, untold ? answererHeaders : [])
    opened.onDrain(() => drain())
    return opened
  }
  const timer = setInterval(() => open(false).write(': keep-alive\n\n'), keepAliveMs)

  return {
    sink: {
      write(events) {
        keptBytes += events.length
        if (keptBytes > replayBytesMax) kept = undefined
        kept?.push(events)
        return open(true).write(events)
      },
      onDrain(resume) {
        drain = resume
      },
      trailers() {},
    },
    isOpen: () => opened !== undefined,
    attempt(model) {
      asked = model
    },
    begin() {
      clearInterval(timer)
      const sink = open(true)
      if (!untold || asked === undefined) return
      sink.write(`: x-model ${asked.slug}, x-attempts ${asked.number}\n\n`)
      sink.trailers(answeredBy(asked.slug, asked.number))
    },
    stored: (tail) =>
      kept === undefined ? undefined : JSON.stringify({ events: `${kept.join('')}${tail}` }),
    close: () => clearInterval(timer),
  }
}

export function answeredBy(slug: string, attempts: number): Record<string, string> {
  return { 'x-model': slug, 'x-attempts': String(attempts) }
}
