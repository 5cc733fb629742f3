import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import { systemClock } from '#platform/clock.ts'

interface Deadline {
  readonly timeoutMs: number
  readonly outer?: AbortSignal | undefined
  readonly clock?: Clock
  /** The error of a deadline that has passed. */
  readonly late?: (seconds: number) => Error
}

/**
 * Resolves as the work does. Rejects when the deadline passes or the outer action ends first, even if the work ignores
 * the signal.
 */
export async function withDeadline<Result>(
  { timeoutMs, outer, clock = systemClock, late = didNotEnd }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const timer = new AbortController()
  const ended = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    controller.abort(reason)
    ended.reject(reason)
  }
  const endWithOuter = () => end(outer?.reason)
  outer?.addEventListener('abort', endWithOuter)
  clock.sleep(timeoutMs, timer.signal).then(
    () => end(late(timeoutMs / 1_000)),
    () => {},
  )
  try {
    return await Promise.race([work(controller.signal), ended.promise])
  } finally {
    timer.abort('The work has ended.')
    outer?.removeEventListener('abort', endWithOuter)
  }
}

function didNotEnd(seconds: number) {
  const waited = `within ${seconds} seconds`
  return fail('upstream_error', {
    message: `The call did not end ${waited}. Nothing was charged; try again.`,
    cause: new Error(`No answer came ${waited}.`),
  })
}
