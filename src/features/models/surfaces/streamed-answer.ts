// A call for speech. The first sound fixes the route; what breaks off after it is free.
import { Readable } from 'node:stream'
import { fail } from '#core/errors.ts'
import type { SurfaceUsage } from '#core/models/surfaces.ts'
import { type Exchange, openExchange } from '../llm/exchange/exchange.ts'
import type { UpstreamFailure } from '../llm/exchange/failure.ts'
import type { Attempted, RouteAttempt } from '../llm/routing/attempts.ts'
import type { Route } from '../llm/routing/models.ts'
import {
  costOfFailure,
  endOf,
  type HeldCall,
  noteFailure,
  type SurfaceDependencies,
  timeoutsFor,
} from '../surfaces/held-call.ts'
import type { SurfaceReply } from '../surfaces/request.ts'
import { endFailed, headersOf, requestTo } from '../surfaces/whole-answer.ts'
import { readBytes, readEvents, type SoundReader } from './sound-stream.ts'
import { type SpokenText, storeSound } from './speech-request.ts'

/** Sound beyond this is not kept for an idempotency key. */
const keptBytesMax = 16_000_000
/** Pieces that wait for a caller who reads slowly. */
const waitingBytesMax = 256_000

/** Errors of vendors, and pages of proxies before them. */
const notSound = /^(?:application\/(?:problem\+)?json|text\/html)\b/i

const brokeOff = fail('upstream_error', {
  message: 'The model broke off in the middle of the sound. Nothing was charged; try again.',
})

interface Begun extends Attempted {
  readonly bytes: Readable
  readonly route: Route
  readonly number: number
}

export async function answerSpeech(
  { dispatcher, local }: Pick<SurfaceDependencies, 'dispatcher' | 'local'>,
  held: HeldCall,
  request: SpokenText,
): Promise<SurfaceReply> {
  const { progress, call } = held
  try {
    const { bytes, route, number } = await held.attempts.run<Begun>(async (attempt) => {
      const { route, number } = attempt
      progress.asked = route
      const result = local.isHere(route)
        ? await sendWhole(held, request, route, await request.speakHere(local, call.gone))
        : await speakOnce(dispatcher, held, request, attempt)
      if (result instanceof Readable) return { bytes: result, route, number, brokeOff: undefined }
      noteFailure(held, route, result)
      return result
    })
    const headers = headersOf(held.callId, route, number)
    return { kind: 'stream', type: request.type, headers, bytes }
  } catch (thrown) {
    return await endFailed(held, thrown)
  }
}

async function sendWhole(
  held: HeldCall,
  request: SpokenText,
  route: Route,
  sound: Uint8Array,
): Promise<Readable> {
  held.call.gone.throwIfAborted()
  const end = endOf(held, route, { usage: request.estimate(route.price), ending: 'complete' })
  await held.close(end, { stored: storeSound(Buffer.from(sound)) })
  return Readable.from([sound])
}

/** Resolves once sound arrives. The stream ends after the charge is made, so that no complete sound can be lost. */
function speakOnce(
  dispatcher: SurfaceDependencies['dispatcher'],
  held: HeldCall,
  request: SpokenText,
  attempt: RouteAttempt,
): Promise<Readable | UpstreamFailure> {
  const { route } = attempt
  const { gone } = held.call
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined
    let begun = false
    const reader = readerFor(request, route)
    const listener = openListener(held, route, () => exchange?.resume())

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
    function hear(sound: Buffer) {
      if (sound.length === 0) return
      if (!begun) {
        begun = true
        exchange?.began()
        resolve(listener.bytes)
      }
      if (!listener.hear(sound)) exchange?.pause()
    }
    exchange = openExchange(dispatcher, requestTo(route, request), timeoutsFor(held, attempt), {
      takes: (mediaType) => !notSound.test(mediaType),
      onData(chunk) {
        const sound = attempted(() => reader.feed(chunk))
        if (!(sound instanceof Error)) return hear(sound)
        exchange?.stop()
        failWith({ kind: 'unreadable', reason: sound.message.slice(0, 100) })
      },
      onEnd() {
        const usage = attempted(() => reader.end())
        if (usage instanceof Error)
          failWith({ kind: 'broken', reason: usage.message.slice(0, 100) })
        else if (begun) listener.end(usage)
        else failWith({ kind: 'unreadable', reason: 'no sound' })
      },
      onFailure: failWith,
    })
    if (gone.aborted) leave()
    else gone.addEventListener('abort', leave, { once: true })
  })
}

/** What a caller hears of a sound, and the end of the call. */
function openListener(held: HeldCall, route: Route, resumeSource: () => void) {
  const kept = keepSound(held.call.idempotencyKey !== undefined)
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

  function closeWith(usage: SurfaceUsage | undefined, isWhole: boolean) {
    const ending = isWhole && !left ? 'complete' : 'client_gone'
    held.close(endOf(held, route, { usage, ending }), { stored: kept.stored() }).then(
      () => (isWhole ? bytes.push(null) : bytes.destroy()),
      (error: Error) => bytes.destroy(error),
    )
  }
  return {
    bytes,
    /** False: the caller reads slowly. */
    hear(sound: Buffer): boolean {
      kept.add(sound)
      if (left || bytes.push(sound)) return true
      paused = true
      return false
    },
    end: (usage: SurfaceUsage | undefined) => closeWith(usage, true),
    breakOff(failure: UpstreamFailure) {
      // A caller who stops reading is charged as one who left.
      if (paused && failure.kind === 'timeout') return closeWith(undefined, false)
      noteFailure(held, route, { ...failure, billed: {} })
      held
        .close(undefined, { failed: brokeOff, costMicros: costOfFailure(held, false) })
        .catch(() => {})
        .finally(() => bytes.destroy(brokeOff))
    },
  }
}

function readerFor(request: SpokenText, { price }: Route): SoundReader {
  return request.countsTokens(price) ? readEvents() : readBytes(request.estimate(price))
}

function attempted<Result>(work: () => Result): Result | Error {
  try {
    return work()
  } catch (error) {
    return error as Error
  }
}

/** The sound that is kept for repetitions. */
function keepSound(keeps: boolean) {
  let pieces: Buffer[] | undefined = keeps ? [] : undefined
  let bytes = 0
  return {
    add(sound: Buffer) {
      bytes += sound.length
      if (bytes > keptBytesMax) pieces = undefined
      pieces?.push(sound)
    },
    stored: () => (pieces === undefined ? undefined : storeSound(Buffer.concat(pieces))),
  }
}
