// A stream, passed on as it comes. Up to its first content it can still be given up for another model; from there on it
// is this one or an error, never a splice.
import type { Dispatcher } from 'undici'
import type { ChatRequest } from '../request/request.ts'
import type { Route } from '../routing/models.ts'
import { writeAnswerAsEvents } from '../wire/answer-events.ts'
import type { StreamState } from '../wire/wire.ts'
import { answerBytesMax, readAnswer, requestFor } from './complete.ts'
import { type Exchange, openExchange, type Patience } from './exchange.ts'
import type { UpstreamFailure } from './failure.ts'
import { createEventSplitter } from './sse.ts'

const preambleBytesMax = 64_000
/** A model that said nothing for so long has been thinking, which only its count tells. */
const silentThoughtMs = 2_000

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
  /** Why it ended before its end; undefined when it ended well, and when the caller left. */
  readonly failure: UpstreamFailure | undefined
  /** The caller left before all of it was said, or did not read for so long that it comes to the same. */
  readonly left: boolean
}

/**
 * Resolves to a UpstreamFailure when nothing has been passed on, and to what was relayed once something has. `onBegin` is called
 * before the first write. When the caller is gone: rejects if nothing had begun, and resolves if something had. Where the
 * count of tokens is near by then, it is waited for.
 */
export function relayOnce(options: {
  dispatcher: Dispatcher
  route: Route
  chat: ChatRequest
  patience: Patience & { readonly usageMs: number }
  sink: EventSink
  gone: AbortSignal
  onBegin: () => void
  /** Whether the model has written more than it was asked for and paid for. */
  isOverrun: (state: StreamState) => boolean
}): Promise<Relayed | UpstreamFailure> {
  const { dispatcher, route, chat, patience, sink, gone } = options
  const translator = route.upstream.wire.openStream(route.slug)
  const { state } = translator
  const lost: UpstreamFailure = { kind: 'broken', reason: 'the stream ended before its end' }
  return new Promise((resolve, reject) => {
    const askedAt = performance.now()
    let exchange: Exchange | undefined
    let arrived: Buffer[] = []
    /** A whole answer, where one came instead of a stream. */
    let whole: Buffer[] | undefined
    let wholeBytes = 0
    let heardAnything = false
    let waiting = ''
    let begunAt: number | undefined
    let over = false
    let left = false
    let hurried = false
    let countTimer: NodeJS.Timeout | undefined
    const splitter = createEventSplitter((data) => {
      if (state.failure !== undefined) return
      waiting += translator.read(data)
      if (begunAt === undefined && state.begun && state.failure === undefined) begin()
    })

    function finish(failure: UpstreamFailure | undefined) {
      if (over) return
      over = true
      clearTimeout(countTimer)
      gone.removeEventListener('abort', leave)
      // What a caller brings about by not reading is its own leaving.
      if (failure !== undefined && exchange?.wasHeldUp() === true) left = true
      if (failure === undefined && state.done) exchange?.release()
      else exchange?.stop()
      if (begunAt === undefined) resolve(failure ?? lost)
      else resolve({ state, failure: left ? undefined : failure, left })
    }
    function leave() {
      if (begunAt === undefined) {
        over = true
        exchange?.stop()
        return reject(gone.reason)
      }
      left = true
      const thoughtSilently = begunAt - askedAt > silentThoughtMs
      if (!state.finished && !thoughtSilently) return finish(undefined)
      exchange?.resume()
      countTimer = setTimeout(() => finish(undefined), patience.usageMs)
    }
    function begin() {
      begunAt = performance.now()
      exchange?.began()
      options.onBegin()
    }
    function advance() {
      if (over) return
      if (begunAt !== undefined && !state.finished && options.isOverrun(state)) {
        waiting += translator.cut()
        state.overran = true
      }
      if (begunAt !== undefined && waiting !== '') {
        const events = waiting
        waiting = ''
        if (!sink.write(events) && !left) exchange?.pause()
      }
      if (state.overran) finish(undefined)
      else if (state.failure !== undefined) finish(state.finished ? undefined : state.failure)
      // Some gateways say [DONE] after a stream that they lost, too.
      else if (state.done) finish(state.finished ? undefined : lost)
      else if (waiting.length > preambleBytesMax)
        finish({ kind: 'unreadable', reason: 'nothing but a preamble' })
      else if (state.finished !== hurried) {
        // Another choice may begin after the first has ended.
        hurried = state.finished
        exchange?.hurry(hurried ? patience.usageMs : patience.idleMs)
      }
    }

    /** What came in one turn of the event loop is read, and sent on, as one piece. */
    function readArrived() {
      const pieces = arrived
      arrived = []
      if (over) return
      try {
        if (pieces.length > 0) splitter.feed(Buffer.concat(pieces))
      } catch {
        state.failure ??= { kind: 'unreadable', reason: 'an event that is too long' }
      }
      advance()
    }
    function gather(chunk: Buffer) {
      wholeBytes += chunk.length
      if (wholeBytes > answerBytesMax)
        finish({ kind: 'unreadable', reason: 'an answer that is too large' })
      else whole?.push(chunk)
    }
    function readWhole(chunks: readonly Buffer[]) {
      const answer = readAnswer(route, chunks)
      if ('kind' in answer) return finish(answer)
      waiting = writeAnswerAsEvents(answer, route.slug, state)
      begin()
      advance()
    }

    exchange = openExchange(dispatcher, requestFor(route, chat), patience, {
      onData(chunk) {
        // No event begins like this.
        if (!heardAnything && /^\s*\{/.test(chunk.toString('latin1', 0, 64))) whole = []
        heardAnything = true
        if (whole !== undefined) return gather(chunk)
        if (arrived.length === 0) queueMicrotask(readArrived)
        arrived.push(chunk)
      },
      onEnd() {
        if (whole !== undefined) return readWhole(whole)
        readArrived()
        splitter.end()
        advance()
        finish(state.finished ? undefined : lost)
      },
      onFailure(failure) {
        readArrived()
        // After the last token there is only the count left to lose.
        finish(state.finished ? undefined : failure)
      },
    })
    sink.onDrain(() => exchange?.resume())
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  })
}
