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
  /** Everything sent, with this end (latin1); undefined if it is too large or is not kept. */
  sent(tail: string): string | undefined
  close(): void
}

export type OpenStream = (
  headers: Record<string, string>,
  /** Names of headers that come after the last event. */
  trailers: readonly string[],
) => EventSink

export interface AskedModel {
  readonly slug: string
  readonly number: number
  /** No other model can be asked instead. */
  readonly last: boolean
  /** What of the request it is not sent. */
  readonly dropped: readonly string[]
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
  /** Sent before the first content (latin1). */
  readonly keepAlive: string
  /** The sent text is kept for replays. */
  readonly keeps: boolean
}): CallerStream {
  const { openStream, callId, keepAliveMs, keepAlive } = dependencies
  let opened: EventSink | undefined
  let drain = () => {}
  let asked: AskedModel | undefined
  let untold = false
  let kept: string[] | undefined = dependencies.keeps ? [] : undefined
  let keptBytes = 0

  function open(begins: boolean): EventSink {
    if (opened !== undefined) return opened
    untold = !begins && asked?.last !== true
    const told = asked === undefined || untold ? {} : answeredBy(asked)
    opened = openStream({ 'x-transaction-id': callId, ...told }, untold ? answererHeaders : [])
    opened.onDrain(() => drain())
    return opened
  }
  const timer = setInterval(() => open(false).write(keepAlive), keepAliveMs)

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
      const told = answeredBy(asked)
      const comment = Object.entries(told).map(([name, value]) => `${name} ${value}`)
      sink.write(`: ${comment.join(', ')}\n\n`)
      const { 'x-model': model, 'x-attempts': attempts } = told
      sink.trailers({ 'x-model': model, 'x-attempts': attempts })
    },
    sent: (tail) => (kept === undefined ? undefined : kept.join('') + tail),
    close: () => clearInterval(timer),
  }
}

export function answeredBy({ slug, number, dropped }: Omit<AskedModel, 'last'>): {
  'x-model': string
  'x-attempts': string
  'x-dropped'?: string
} {
  return {
    'x-model': slug,
    'x-attempts': String(number),
    ...(dropped.length === 0 ? {} : { 'x-dropped': headerOf(dropped) }),
  }
}

const droppedCharactersMax = 2_000

/** Some names are words of the caller, and a header that cannot be sent would cost them the answer. */
const headerOf = (dropped: readonly string[]) =>
  dropped
    .join(', ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, droppedCharactersMax)
