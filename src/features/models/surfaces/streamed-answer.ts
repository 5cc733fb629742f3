// A call whose answer is passed on as it arrives. The first piece fixes the route; what breaks off after it is free.
import { Readable } from 'node:stream'
import { errorOf, fail } from '#core/errors.ts'
import { type Exchange, openExchange } from '../llm/exchange/exchange.ts'
import type { UpstreamFailure } from '../llm/exchange/failure.ts'
import type { Attempted, RouteAttempt } from '../llm/routing/attempts.ts'
import type { Route } from '../llm/routing/models.ts'
import { VendorError } from './events.ts'
import {
  costOfFailure,
  endOf,
  type HeldCall,
  noteFailure,
  type SurfaceDependencies,
  timeoutsFor,
} from './held-call.ts'
import type { ReadAnswer, StreamedRequest, SurfaceReply } from './request.ts'
import { endFailed, headersOf, requestTo } from './whole-answer.ts'

/** An answer beyond this is not kept for an idempotency key. */
const keptBytesMax = 16_000_000
/** Pieces that wait for a caller who reads slowly. */
const waitingBytesMax = 256_000

const brokeOff = fail('upstream_error', {
  message: 'The model broke off in the middle of its answer. Nothing was charged; try again.',
})

interface Begun extends Attempted {
  readonly bytes: Readable
  readonly route: Route
  readonly number: number
}

export async function answerStreamed(
  { dispatcher, local }: Pick<SurfaceDependencies, 'dispatcher' | 'local'>,
  held: HeldCall,
  request: StreamedRequest,
): Promise<SurfaceReply> {
  const { progress, call } = held
  try {
    const { bytes, route, number } = await held.attempts.run<Begun>(async (attempt) => {
      const { route, number } = attempt
      progress.asked = route
      const result =
        request.answerHere !== undefined && local.isHere(route)
          ? await sendWhole(held, request, route, await request.answerHere(local, call))
          : await streamOnce(dispatcher, held, request, attempt)
      if (result instanceof Readable) return { bytes: result, route, number, brokeOff: 'goes on' }
      noteFailure(held, route, result)
      return result
    })
    const headers = { ...headersOf(held.callId, route, number), ...request.headers }
    return { kind: 'stream', type: request.type, headers, bytes }
  } catch (thrown) {
    return await endFailed(held, thrown)
  }
}

async function sendWhole(
  held: HeldCall,
  request: StreamedRequest,
  route: Route,
  answer: Uint8Array,
): Promise<Readable> {
  held.call.gone.throwIfAborted()
  const reader = request.openReader(route)
  const begun = reader.feed(Buffer.from(answer))
  const { usage, rest } = reader.end()
  const end = endOf(held, route, { usage, ending: 'complete' })
  const sent = Buffer.concat([begun, rest?.({ slug: route.slug, ...end }) ?? Buffer.of()])
  await held.close(end, { stored: request.store(sent) })
  return Readable.from([sent])
}

/** Resolves once an answer arrives. It ends after the charge is made, so that no complete answer can be lost. */
function streamOnce(
  dispatcher: SurfaceDependencies['dispatcher'],
  held: HeldCall,
  request: StreamedRequest,
  attempt: RouteAttempt,
): Promise<Readable | UpstreamFailure> {
  const { route } = attempt
  const { gone } = held.call
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined
    let begun = false
    const reader = request.openReader(route)
    const listener = openListener(held, { request, route }, () => exchange?.resume())

    function failWith(failure: UpstreamFailure) {
      gone.removeEventListener('abort', leave)
      if (begun) listener.breakOff(failure)
      else resolve(failure)
    }
    function leave() {
      if (begun) return
      exchange?.stop()
      reject(gone.reason)
    }
    function begin() {
      if (begun) return
      begun = true
      exchange?.began()
      resolve(listener.bytes)
    }
    function pass(piece: Buffer) {
      if (piece.length === 0) return
      begin()
      if (!listener.hear(piece)) exchange?.pause()
    }
    exchange = openExchange(dispatcher, requestTo(route, request), timeoutsFor(held, attempt), {
      takes: request.takes,
      onData(chunk) {
        const piece = attempted(() => reader.feed(chunk))
        if (!(piece instanceof Error)) return pass(piece)
        exchange?.stop()
        failWith(failureIn(piece, 'unreadable'))
      },
      onEnd() {
        const read = attempted(() => reader.end())
        if (read instanceof Error) return failWith(failureIn(read, 'broken'))
        if (!begun && read.rest === undefined)
          return failWith({ kind: 'unreadable', reason: 'an empty answer' })
        begin()
        listener.end(read)
      },
      onFailure: failWith,
    })
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  })
}

/** What a caller receives of an answer, and the end of the call. */
function openListener(
  held: HeldCall,
  { request, route }: { readonly request: StreamedRequest; readonly route: Route },
  resumeSource: () => void,
) {
  const kept = keepAnswer(request, held.call.idempotencyKey !== undefined)
  let left = false
  let paused = false
  const resume = () => {
    paused = false
    resumeSource()
  }
  const bytes = new Readable({
    highWaterMark: waitingBytesMax,
    read: resume,
    destroy(error, done) {
      left = true
      // The vendor bills what it was asked: the rest is read for its count.
      resume()
      done(error)
    },
  })

  function finish(last: Buffer) {
    if (last.length > 0) bytes.push(last)
    bytes.push(null)
  }
  function closeWith(read: ReadAnswer | undefined) {
    const ending = read !== undefined && !left ? 'complete' : 'client_gone'
    const end = endOf(held, route, { usage: read?.usage, ending })
    const last = read?.rest?.({ slug: route.slug, ...end }) ?? Buffer.of()
    kept.add(last)
    const stored = read === undefined ? undefined : kept.stored()
    if (read !== undefined) held.attempts.ended(undefined)
    held.close(end, { stored }).then(
      () => (read === undefined ? bytes.destroy() : finish(last)),
      (error: Error) => bytes.destroy(error),
    )
  }
  return {
    bytes,
    /** False: the caller reads slowly. */
    hear(piece: Buffer): boolean {
      kept.add(piece)
      if (left || bytes.push(piece)) return true
      paused = true
      return false
    },
    end: closeWith,
    breakOff(failure: UpstreamFailure) {
      // A caller who stops reading is charged as one who left.
      if (paused && failure.kind === 'timeout') return closeWith(undefined)
      noteFailure(held, route, { ...failure, billed: {} })
      held.attempts.ended(failure)
      held
        .close(undefined, { failed: brokeOff, costMicros: costOfFailure(held, false) })
        .catch(() => {})
        .finally(() => {
          if (request.writeFailure === undefined) bytes.destroy(brokeOff)
          else finish(request.writeFailure(brokeOff))
        })
    },
  }
}

const failureIn = (error: Error, kind: 'unreadable' | 'broken'): UpstreamFailure =>
  error instanceof VendorError ? error.failure : { kind, reason: error.message.slice(0, 100) }

function attempted<Result>(work: () => Result): Result | Error {
  try {
    return work()
  } catch (error) {
    return errorOf(error)
  }
}

/** The answer that is kept for repetitions. */
function keepAnswer({ store }: StreamedRequest, keeps: boolean) {
  let pieces: Buffer[] | undefined = keeps ? [] : undefined
  let bytes = 0
  return {
    add(piece: Buffer) {
      bytes += piece.length
      if (bytes > keptBytesMax) pieces = undefined
      pieces?.push(piece)
    },
    stored: () => (pieces === undefined ? undefined : store(Buffer.concat(pieces))),
  }
}
