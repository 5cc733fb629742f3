// One POST to an upstream. A reply with status 200 is handed on decoded; anything else becomes an UpstreamFailure.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { membersOf } from '#core/input/members.ts'
import { errorCodeOf } from '#platform/thrown.ts'
import { createDecoder } from './decoding.ts'
import { readFailureReply, statusOfError, type UpstreamFailure } from './failure.ts'

export interface UpstreamRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | Buffer
}

export interface ReplyHandler {
  /** False: a reply of this media type is an error, even with status 200. */
  takes?(mediaType: string): boolean
  /** Bytes arrived. They may still have to be decoded. */
  onArrival(): void
  onData(chunk: Buffer): void
  /** The reply is complete. */
  onEnd(): void
  /** The reply is not complete and will not be. */
  onFailure(failure: UpstreamFailure): void
}

export interface Sending {
  pause(): void
  resume(): void
  /** Drops the rest of the reply. */
  discard(): void
  /** Frees what decoding holds. */
  close(): void
  /** Breaks the connection. */
  abort(): void
}

const failureBodyBytesMax = 64_000
const stopped = new Error('The exchange was stopped.')

export function sendRequest(
  dispatcher: Dispatcher,
  request: UpstreamRequest,
  handler: ReplyHandler,
): Sending {
  let controller: Dispatcher.DispatchController | undefined
  let aborted = false
  const body = createReplyBody(handler, () => controller?.resume())

  // The exchange keeps its own deadlines.
  const options = { ...request, method: 'POST', headersTimeout: 0, bodyTimeout: 0 } as const
  dispatcher.dispatch(options, {
    onRequestStart(started) {
      controller = started
      if (aborted) started.abort(stopped)
    },
    onResponseStart(_controller, status, headers) {
      if (status >= 200) body.begin(status, headers)
    },
    onResponseData(_controller, chunk) {
      if (!body.write(chunk)) controller?.pause()
    },
    onResponseEnd: body.end,
    onResponseError: (_controller, error) => body.fail(error),
  })

  return {
    pause() {
      body.pause()
      controller?.pause()
    },
    resume() {
      if (body.resume()) controller?.resume()
    },
    discard() {
      body.discard()
      controller?.resume()
    },
    close: body.close,
    abort() {
      aborted = true
      controller?.abort(stopped)
    },
  }
}

/** The body of a reply: decoded if it is compressed, and kept back if it explains a refusal. */
function createReplyBody(handler: ReplyHandler, resumeSource: () => void) {
  let decoder: ReturnType<typeof createDecoder>
  let refusal: Refusal | undefined
  let paused = false
  let discarding = false

  function decode(encoding: string) {
    const unreadable = (reason: string) => handler.onFailure({ kind: 'unreadable', reason })
    decoder = createDecoder(encoding)
    if (decoder === undefined) return unreadable(`an answer in ${encoding.slice(0, 40)}`)
    decoder.on('data', read)
    decoder.on('end', finish)
    decoder.on('drain', () => paused || resumeSource())
    decoder.on('error', () => unreadable(`damaged ${encoding}`))
  }
  function read(chunk: Buffer) {
    if (discarding) return
    if (refusal === undefined) handler.onData(chunk)
    else if (!refusal.add(chunk)) handler.onFailure(refusal.read())
  }
  function finish() {
    if (refusal === undefined) handler.onEnd()
    else handler.onFailure(refusal.read())
  }

  return {
    begin(status: number, headers: IncomingHttpHeaders) {
      if (discarding) return
      const isTaken = handler.takes?.(headerOf(headers, 'content-type') ?? '') !== false
      if (status !== 200 || !isTaken) refusal = collectRefusal(status, headers)
      const encoding = headerOf(headers, 'content-encoding') ?? 'identity'
      if (encoding !== 'identity' && encoding !== '') decode(encoding)
    },
    /** False: stop until the decoder has drained. */
    write(chunk: Buffer): boolean {
      if (discarding) return true
      handler.onArrival()
      if (decoder !== undefined) return decoder.write(chunk)
      read(chunk)
      return true
    },
    end() {
      if (decoder === undefined || discarding) finish()
      else decoder.end()
    },
    fail: (error: Error) => handler.onFailure(refusal?.read() ?? connectionFailure(error)),
    pause() {
      paused = true
      decoder?.pause()
    },
    /** Whether the source may go on as well. */
    resume(): boolean {
      paused = false
      decoder?.resume()
      return decoder?.writableNeedDrain !== true
    },
    discard() {
      discarding = true
      decoder?.resume()
    },
    close() {
      discarding = true
      decoder?.destroy()
    },
  }
}

interface Refusal {
  /** False once the body is too large to be kept. */
  add(chunk: Buffer): boolean
  read(): UpstreamFailure
}

function collectRefusal(status: number, headers: IncomingHttpHeaders): Refusal {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk) {
      bytes += chunk.length
      if (bytes > failureBodyBytesMax) return false
      chunks.push(chunk)
      return true
    },
    read() {
      const body = parseJson(chunks)
      const told = status === 200 ? statusOfError(membersOf(body).error) : status
      return readFailureReply(told, body, headerOf(headers, 'retry-after'))
    },
  }
}

function connectionFailure(error: Error): UpstreamFailure {
  const code = errorCodeOf(error)
  const connecting = code === 'ECONNREFUSED' || code === 'ENOTFOUND' || /CONNECT/.test(code ?? '')
  return { kind: connecting ? 'connect' : 'broken', reason: code ?? error.name }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

function parseJson(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}
