// A stream, passed on as it comes. Up to its first content it can still be given up for another model; from there on it
// is this one or an error, never a splice.
import type { Dispatcher } from 'undici'
import { requestFor } from './complete.ts'
import { type Exchange, openExchange, type Patience } from './exchange.ts'
import type { Failure } from './failure.ts'
import type { Route } from './models.ts'
import type { ChatRequest } from './request.ts'
import { createEventSplitter } from './sse.ts'
import type { StreamState } from './wire/wire.ts'

const preambleBytesMax = 64_000

/** Where events go. */
export interface EventSink {
  /** Sends events (latin1). False: stop until the next drain. */
  write(events: string): boolean
  onDrain(resume: () => void): void
}

export interface Relayed {
  readonly state: StreamState
  /** Why it ended before its end; undefined when it ended well. */
  readonly failure: Failure | undefined
}

/**
 * Resolves to a Failure when nothing has been passed on, and to what was relayed once something has. `onBegin` is called
 * before the first write. When the caller is gone: rejects if nothing had begun, and resolves if something had.
 */
export function relayOnce(options: {
  dispatcher: Dispatcher
  route: Route
  chat: ChatRequest
  patience: Patience & { readonly usageMs: number }
  sink: EventSink
  gone: AbortSignal
  onBegin: () => void
}): Promise<Relayed | Failure> {
  const { dispatcher, route, chat, patience, sink, gone } = options
  const translator = route.upstream.wire.openStream(route.slug)
  const { state } = translator
  const lost: Failure = { kind: 'broken', reason: 'the stream ended before its end' }
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined
    let arrived: Buffer[] = []
    let waiting = ''
    let begun = false
    let over = false
    let hurried = false
    const splitter = createEventSplitter((data) => {
      if (state.failure !== undefined) return
      waiting += translator.read(data)
      if (!begun && state.begun && state.failure === undefined) begin()
    })

    function finish(failure: Failure | undefined) {
      if (over) return
      over = true
      gone.removeEventListener('abort', leave)
      if (failure === undefined && state.done) exchange?.release()
      else exchange?.stop()
      if (begun) resolve({ state, failure })
      else resolve(failure ?? lost)
    }
    function leave() {
      if (begun) return finish(undefined)
      over = true
      exchange?.stop()
      reject(gone.reason)
    }
    function begin() {
      begun = true
      exchange?.began()
      options.onBegin()
    }
    function advance() {
      if (over) return
      if (begun && waiting !== '') {
        const events = waiting
        waiting = ''
        if (!sink.write(events)) exchange?.pause()
      }
      if (state.failure !== undefined) finish(state.finished ? undefined : state.failure)
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

    exchange = openExchange(dispatcher, requestFor(route, chat), patience, {
      onData(chunk) {
        if (arrived.length === 0) queueMicrotask(readArrived)
        arrived.push(chunk)
      },
      onEnd() {
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
