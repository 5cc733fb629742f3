// One request to one upstream, with every deadline of its own and back-pressure; the bytes go to whoever asked.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { createDecoder } from './decoding.ts'
import { readFailureReply, type UpstreamFailure } from './failure.ts'
import { watchSilence } from './silence.ts'

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
  onFailure(failure: UpstreamFailure): void
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
  /** Whether it took as long as it did because the answer was not read. */
  wasHeldUp(): boolean
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
/** A reader holds an exchange up who keeps it waiting for more than one part in so many of its time. */
const heldUpShare = 10
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
  let released = false
  let decoder: ReturnType<typeof createDecoder>
  let refusal:
    | { status: number; headers: IncomingHttpHeaders; chunks: Buffer[]; bytes: number }
    | undefined
  const startedAt = performance.now()
  let pausedAt: number | undefined
  let pausedMs = 0
  const silence = watchSilence(patience.firstMs, (silenceMs) => {
    // A reader that does not take what is there is not the upstream's fault.
    if (pausedAt !== undefined) silence.heard()
    else failWith({ kind: 'timeout', reason: `nothing came for ${silenceMs} ms` })
  })
  const expire = () =>
    failWith({ kind: 'timeout', reason: `not done after ${patience.totalMs} ms` })
  const deadline = setTimeout(() => setImmediate(expire), patience.totalMs)

  function finish(): boolean {
    if (over) return false
    over = true
    silence.stop()
    clearTimeout(deadline)
    decoder?.destroy()
    return true
  }
  function failWith(failure: UpstreamFailure) {
    if (!finish()) return
    controller?.abort(stopped)
    if (!released) handler.onFailure(failure)
  }
  function readRefusal() {
    if (refusal === undefined) return
    const { status, headers, chunks } = refusal
    failWith(readFailureReply(status, parse(chunks), header(headers, 'retry-after')))
  }
  function decode(encoding: string) {
    decoder = createDecoder(encoding)
    if (decoder === undefined)
      return failWith({ kind: 'unreadable', reason: `an answer in ${encoding.slice(0, 40)}` })
    decoder.on('data', read)
    decoder.on('end', end)
    decoder.on('drain', () => pausedAt === undefined && controller?.resume())
    decoder.on('error', () => failWith({ kind: 'unreadable', reason: `damaged ${encoding}` }))
  }
  function read(chunk: Buffer) {
    if (over || released) return
    if (refusal === undefined) return handler.onData(chunk)
    refusal.bytes += chunk.length
    if (refusal.bytes > failureBodyBytesMax) readRefusal()
    else refusal.chunks.push(chunk)
  }
  function end() {
    if (refusal !== undefined) readRefusal()
    else if (finish() && !released) handler.onEnd()
  }
  function unpause() {
    if (pausedAt !== undefined) pausedMs += performance.now() - pausedAt
    pausedAt = undefined
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
        if (status !== 200) refusal = { status, headers, chunks: [], bytes: 0 }
        const encoding = header(headers, 'content-encoding') ?? 'identity'
        if (encoding !== 'identity' && encoding !== '') decode(encoding)
      },
      onResponseData(_controller, chunk) {
        if (over || released) return
        if (begun) silence.heard()
        if (decoder === undefined) read(chunk)
        else if (!decoder.write(chunk)) controller?.pause()
      },
      onResponseEnd() {
        if (over) return
        if (decoder === undefined || released) end()
        else decoder.end()
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
      if (!over) silence.limit(lingerMs)
      unpause()
      decoder?.resume()
      controller?.resume()
    },
    pause() {
      pausedAt ??= performance.now()
      if (over) return
      decoder?.pause()
      controller?.pause()
    },
    resume() {
      unpause()
      if (over) return
      silence.heard()
      decoder?.resume()
      if (decoder?.writableNeedDrain !== true) controller?.resume()
    },
    began() {
      if (begun) return
      begun = true
      if (!over) silence.limit(patience.idleMs)
    },
    hurry(silenceMs) {
      if (!over) silence.limit(silenceMs)
    },
    wasHeldUp() {
      const now = performance.now()
      const waitedMs = pausedMs + (pausedAt === undefined ? 0 : now - pausedAt)
      return waitedMs * heldUpShare > now - startedAt
    },
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
