// One request to one upstream, with every deadline of its own and back-pressure; the bytes go to whoever asked.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type Failure, readFailureReply } from './failure.ts'

/** How long an upstream may be silent, by what is waited for. */
export interface Patience {
  /** Until the headers, and after them until the handler says that an answer has begun. */
  readonly firstMs: number
  /** Between two pieces of the answer. */
  readonly idleMs: number
  /** For everything. */
  readonly totalMs: number
}

export interface ExchangeHandler {
  onData(chunk: Buffer): void
  /** The answer is complete. */
  onEnd(): void
  /** It is not, and nothing more comes. */
  onFailure(failure: Failure): void
}

export interface Exchange {
  /** Ends it from our side; the handler hears nothing more. */
  stop(): void
  /** The answer is complete, whatever else comes: the connection may be used again once it is through. */
  release(): void
  pause(): void
  resume(): void
  /** The answer has begun: from here on the shorter silence between two pieces counts. */
  began(): void
  /** Replaces the silence that is borne from here on. */
  hurry(silenceMs: number): void
}

export interface UpstreamRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

const failureBodyBytesMax = 64_000
/** A connection whose answer is through, and that does not end it, is closed after this. */
const lingerMs = 1_000
const stopped = new Error('The exchange was stopped.')

export function openExchange(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  patience: Patience,
  handler: ExchangeHandler,
): Exchange {
  let controller: Dispatcher.DispatchController | undefined
  let over = false
  let begun = false
  let paused = false
  let refusal:
    | { status: number; headers: IncomingHttpHeaders; chunks: Buffer[]; bytes: number }
    | undefined
  let silenceMs = patience.firstMs
  let released = false
  let timer = setTimeout(onSilence, silenceMs)
  const deadline = setTimeout(() => {
    failWith({ kind: 'timeout', reason: `not done after ${patience.totalMs} ms` })
  }, patience.totalMs)

  function finish(): boolean {
    if (over) return false
    over = true
    clearTimeout(timer)
    clearTimeout(deadline)
    return true
  }
  function failWith(failure: Failure) {
    if (!finish()) return
    controller?.abort(stopped)
    if (!released) handler.onFailure(failure)
  }
  function onSilence() {
    // A reader that does not take what is there is not the upstream's fault.
    if (paused) timer.refresh()
    else failWith({ kind: 'timeout', reason: `nothing came for ${silenceMs} ms` })
  }
  function setSilence(nextMs: number) {
    if (over) return
    silenceMs = nextMs
    clearTimeout(timer)
    timer = setTimeout(onSilence, silenceMs)
  }
  function readRefusal() {
    if (refusal === undefined) return
    const { status, headers, chunks } = refusal
    failWith(readFailureReply(status, parse(chunks), header(headers, 'retry-after')))
  }

  dispatcher.dispatch(
    {
      origin: request.origin,
      path: request.path,
      method: 'POST',
      headers: request.headers,
      body: request.body,
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    {
      onRequestStart(started) {
        controller = started
        if (over) started.abort(stopped)
      },
      onResponseStart(_controller, status, headers) {
        if (over || status < 200) return
        const encoding = header(headers, 'content-encoding') ?? 'identity'
        if (status !== 200) refusal = { status, headers, chunks: [], bytes: 0 }
        else if (encoding !== 'identity')
          failWith({ kind: 'unreadable', reason: `an answer in ${encoding} was not asked for` })
      },
      onResponseData(_controller, chunk) {
        if (over || released) return
        if (refusal !== undefined) {
          refusal.bytes += chunk.length
          if (refusal.bytes > failureBodyBytesMax) readRefusal()
          else refusal.chunks.push(chunk)
          return
        }
        if (begun) timer.refresh()
        handler.onData(chunk)
      },
      onResponseEnd() {
        if (refusal !== undefined) readRefusal()
        else if (finish() && !released) handler.onEnd()
      },
      onResponseError(_controller, error) {
        if (refusal !== undefined) return readRefusal()
        const { code } = error as { code?: string }
        const connecting =
          code === 'ECONNREFUSED' || code === 'ENOTFOUND' || /CONNECT/.test(code ?? '')
        failWith({ kind: connecting ? 'connect' : 'broken', reason: code ?? error.name })
      },
    },
  )

  return {
    stop() {
      if (finish()) controller?.abort(stopped)
    },
    release() {
      released = true
      setSilence(lingerMs)
      if (paused) controller?.resume()
      paused = false
    },
    pause() {
      paused = true
      if (!over) controller?.pause()
    },
    resume() {
      paused = false
      if (over) return
      timer.refresh()
      controller?.resume()
    },
    began() {
      if (begun) return
      begun = true
      setSilence(patience.idleMs)
    },
    hurry: setSilence,
  }
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function parse(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}
