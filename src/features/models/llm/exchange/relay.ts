// Relays one stream. Before its first content another model may still replace it; after that the caller gets this
// answer or an error, never parts of two answers.
import type { Dispatcher } from 'undici'
import type { ModelRequest } from '../conversation/model-request.ts'
import type { Route } from '../routing/models.ts'
import type { AnswerStream } from '../surface/surface.ts'
import type { StreamState } from '../wire/wire.ts'
import { requestFor } from './complete.ts'
import { type Exchange, type ExchangeTimeouts, openExchange } from './exchange.ts'
import type { UpstreamFailure } from './failure.ts'
import { createStreamReader, type StreamReader } from './stream-reader.ts'

const preambleBytesMax = 64_000
/** A model that sent nothing for this long was probably reasoning, and only its token count shows how much. */
const silentThoughtMs = 2_000
const brokenStream: UpstreamFailure = { kind: 'broken', reason: 'the stream ended before its end' }

/** Where events go. */
export interface EventSink {
  /** Sends events (latin1). False: stop until the next drain. */
  write(events: string): boolean
  onDrain(resume: () => void): void
  /** Sends these headers after the last event. Their names must have been given when the stream was opened. */
  trailers(headers: Record<string, string>): void
}

export interface Relayed {
  readonly state: StreamState
  /** Why the stream broke off; undefined when it was complete and when the caller left. */
  readonly failure: UpstreamFailure | undefined
  /** The caller left before the end, or stopped reading for so long that it counts as leaving. */
  readonly left: boolean
}

export interface RelayOptions {
  readonly dispatcher: Dispatcher
  readonly route: Route
  readonly chat: ModelRequest
  readonly answer: AnswerStream
  readonly timeouts: ExchangeTimeouts & { readonly usageMs: number }
  readonly sink: EventSink
  readonly gone: AbortSignal
  /** Called before the first write. */
  readonly onBegin: () => void
  /** Whether the model has written more than the caller asked and paid for. */
  readonly isOverrun: (state: StreamState) => boolean
}

/**
 * Resolves to an UpstreamFailure if nothing was relayed, and to what was relayed otherwise. If the caller leaves:
 * rejects before the first content, resolves after it, and waits a moment for the token count if that is about to come.
 */
export function relayOnce(options: RelayOptions): Promise<Relayed | UpstreamFailure> {
  const { dispatcher, route, chat, answer, timeouts, sink, gone } = options
  const { promise, resolve, reject } = Promise.withResolvers<Relayed | UpstreamFailure>()
  const reader = createStreamReader(route, answer, advance)
  const forwarder = createForwarder(options, reader)
  const { state } = reader
  let exchange: Exchange | undefined
  let over = false
  let left = false
  let usageTimer: NodeJS.Timeout | undefined

  function finish(failure: UpstreamFailure | undefined) {
    if (over) return
    close()
    // A failure that the caller caused by not reading counts as leaving.
    if (failure !== undefined && exchange?.wasHeldUp() === true) left = true
    if (failure === undefined && state.done) exchange?.release()
    else exchange?.stop()
    if (forwarder.thoughtMs() === undefined) resolve(reader.billed(failure ?? brokenStream))
    else resolve({ state, failure: left ? undefined : failure, left })
  }
  function close() {
    over = true
    reader.close()
    clearTimeout(usageTimer)
    gone.removeEventListener('abort', leave)
  }
  function leave() {
    const thoughtMs = forwarder.thoughtMs()
    if (thoughtMs === undefined) {
      close()
      exchange?.stop()
      return reject(gone.reason)
    }
    left = true
    if (!state.finished && thoughtMs <= silentThoughtMs) return finish(undefined)
    exchange?.resume()
    usageTimer = setTimeout(() => finish(undefined), timeouts.usageMs)
  }
  function advance() {
    if (over) return
    const isFull = !forwarder.forward()
    if (forwarder.thoughtMs() !== undefined) exchange?.began()
    if (isFull && !left) exchange?.pause()
    const end = endOfStream(state, reader.waitingBytes())
    if (end !== undefined) finish(end.failure)
    // One choice may end before another begins.
    else if (forwarder.finishedChanged())
      exchange?.allowSilence(state.finished ? timeouts.usageMs : timeouts.idleMs)
  }

  exchange = openExchange(dispatcher, requestFor(route, chat), timeouts, {
    onData: reader.add,
    onEnd() {
      reader.end()
      finish(state.finished ? undefined : brokenStream)
    },
    onFailure(failure) {
      reader.flush()
      // After the last token only the usage can be lost.
      finish(state.finished ? undefined : failure)
    },
  })
  sink.onDrain(() => exchange?.resume())
  if (gone.aborted) leave()
  else gone.addEventListener('abort', leave, { once: true })
  return promise
}

/** Moves events from the reader to the caller, from the first content on. */
function createForwarder({ sink, onBegin, isOverrun }: RelayOptions, reader: StreamReader) {
  const { state } = reader
  const askedAt = performance.now()
  let thoughtMs: number | undefined
  let wasFinished = false
  return {
    /** Time from the request to the first content; undefined before that. */
    thoughtMs: () => thoughtMs,
    /** Whether `state.finished` changed since this was last asked. */
    finishedChanged(): boolean {
      const changed = state.finished !== wasFinished
      wasFinished = state.finished
      return changed
    },
    /** False: stop until the next drain. */
    forward(): boolean {
      if (thoughtMs === undefined && reader.hasBegun()) {
        thoughtMs = performance.now() - askedAt
        onBegin()
      }
      if (thoughtMs === undefined) return true
      if (!state.finished && isOverrun(state)) reader.cut()
      const events = reader.take()
      return events === '' || sink.write(events)
    },
  }
}

/**
 * Whether a stream in this state is over, and why it failed if it did. Some gateways send [DONE] after a broken stream.
 */
function endOfStream(
  state: StreamState,
  preambleBytes: number,
): { readonly failure: UpstreamFailure | undefined } | undefined {
  const unlessFinished = (failure: UpstreamFailure) => (state.finished ? undefined : failure)
  if (state.overran) return { failure: undefined }
  if (state.failure !== undefined) return { failure: unlessFinished(state.failure) }
  if (state.done) return { failure: unlessFinished(brokenStream) }
  if (preambleBytes > preambleBytesMax)
    return { failure: { kind: 'unreadable', reason: 'nothing but a preamble' } }
  return undefined
}
