// One request to one upstream, with its deadlines and with back-pressure.
import type { Dispatcher } from 'undici'
import type { UpstreamFailure } from './failure.ts'
import { type Sending, sendRequest, type UpstreamRequest } from './send.ts'
import { type Silence, watchSilence } from './silence.ts'

/** How long an upstream may be silent. */
export interface ExchangeTimeouts {
  /** Until the headers, and then until the handler reports that an answer has begun. */
  readonly firstMs: number
  /** Between two pieces of the answer. */
  readonly idleMs: number
  /** For the whole exchange. */
  readonly totalMs: number
}

export interface ExchangeHandler {
  /** False: a reply of this media type is an error, even with status 200. */
  takes?(mediaType: string): boolean
  onData(chunk: Buffer): void
  /** The answer is complete. */
  onEnd(): void
  /** The answer is not complete and will not be. */
  onFailure(failure: UpstreamFailure): void
}

export interface Exchange {
  /** Ends the exchange. The handler is not called again. */
  stop(): void
  /** The answer is complete. The connection is reused if the upstream ends the reply soon. */
  release(): void
  pause(): void
  resume(): void
  /** The answer has begun: from now on `idleMs` applies instead of `firstMs`. */
  began(): void
  /** Replaces the silence allowed from now on. */
  allowSilence(silenceMs: number): void
  /** Whether the exchange was slow because its answer was not read. */
  wasHeldUp(): boolean
}

/** A released connection that the upstream does not end is closed after this time. */
const lingerMs = 1_000
/** A reader holds an exchange up if it was paused for more than one part in this many of its duration. */
const heldUpShare = 10

export function openExchange(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  timeouts: ExchangeTimeouts,
  handler: ExchangeHandler,
): Exchange {
  let sending: Sending | undefined
  let over = false
  let begun = false
  let released = false
  const pauses = createPauseClock()
  const silence = watchDeadlines(timeouts, pauses, (reason) =>
    failWith({ kind: 'timeout', reason, billed: {} }),
  )

  function finish(): boolean {
    if (over) return false
    over = true
    silence.stop()
    sending?.close()
    return true
  }
  function failWith(failure: UpstreamFailure) {
    if (!finish()) return
    sending?.abort()
    if (!released) handler.onFailure(failure)
  }

  const { takes } = handler
  sending = sendRequest(dispatcher, request, {
    ...(takes === undefined ? {} : { takes }),
    onArrival() {
      if (begun) silence.heard()
    },
    onData: handler.onData,
    onEnd() {
      if (finish() && !released) handler.onEnd()
    },
    onFailure: failWith,
  })

  return {
    stop() {
      if (finish()) sending?.abort()
    },
    release() {
      released = true
      if (!over) silence.limit(lingerMs)
      pauses.end()
      sending?.discard()
    },
    pause() {
      pauses.begin()
      if (!over) sending?.pause()
    },
    resume() {
      pauses.end()
      if (over) return
      silence.heard()
      sending?.resume()
    },
    began() {
      if (begun) return
      begun = true
      if (!over) silence.limit(timeouts.idleMs)
    },
    allowSilence(silenceMs) {
      if (!over) silence.limit(silenceMs)
    },
    wasHeldUp: () => pauses.share() * heldUpShare > 1,
  }
}

/** Watches for silence and for the end of the time allowed in all. */
function watchDeadlines(
  { firstMs, totalMs }: ExchangeTimeouts,
  pauses: PauseClock,
  onTimeout: (reason: string) => void,
): Silence {
  const silence = watchSilence(firstMs, (silenceMs) => {
    // The upstream is not to blame for a reader that does not take the data.
    if (pauses.isPaused()) silence.heard()
    else onTimeout(`nothing came for ${silenceMs} ms`)
  })
  const expire = () => onTimeout(`not done after ${totalMs} ms`)
  const timer = setTimeout(() => setImmediate(expire), totalMs)
  return {
    ...silence,
    stop() {
      silence.stop()
      clearTimeout(timer)
    },
  }
}

type PauseClock = ReturnType<typeof createPauseClock>

/** Measures how much of its lifetime is spent in pauses. */
function createPauseClock() {
  const startedAt = performance.now()
  let pausedAt: number | undefined
  let pausedMs = 0
  return {
    isPaused: () => pausedAt !== undefined,
    begin() {
      pausedAt ??= performance.now()
    },
    end() {
      if (pausedAt !== undefined) pausedMs += performance.now() - pausedAt
      pausedAt = undefined
    },
    share() {
      const now = performance.now()
      return (pausedMs + (pausedAt === undefined ? 0 : now - pausedAt)) / (now - startedAt)
    },
  }
}
