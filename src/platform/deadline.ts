import type { Clock } from '#core/ports.ts'
import { systemClock } from './clock.ts'

export class DeadlineError extends Error {}

interface Deadline {
  readonly timeoutMs: number
  readonly outer?: AbortSignal | undefined
  readonly clock?: Clock
  /** The error of a deadline that has passed. Default: a DeadlineError. */
  readonly late?: (seconds: number) => Error
}

/**
 * Resolves as the work does. Rejects when the deadline passes or the outer action ends first, even if the work ignores
 * the signal.
 */
export async function withDeadline<Result>(
  { timeoutMs, outer, clock = systemClock, late = tooLate }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    controller.abort(reason)
    ended.reject(reason)
  }
  const endWithOuter = () => end(outer?.reason)
  outer?.addEventListener('abort', endWithOuter)
  const cancel = startTimer(clock, timeoutMs, () => end(late(timeoutMs / 1_000)))
  try {
    return await Promise.race([work(controller.signal), ended.promise])
  } finally {
    cancel()
    outer?.removeEventListener('abort', endWithOuter)
  }
}

/** Returns how to cancel it. An aborted sleep makes an error with a stack, which every call would pay for. */
function startTimer(clock: Clock, delayMs: number, act: () => void): () => void {
  if (clock === systemClock) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  }
  const timer = new AbortController()
  clock.sleep(delayMs, timer.signal).then(act, () => {})
  return () => timer.abort('The work has ended.')
}

const tooLate = (seconds: number) => new DeadlineError(`No answer within ${seconds} seconds.`)
