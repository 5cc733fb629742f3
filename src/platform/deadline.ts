import type { Clock } from '#core/ports.ts'
import { abortable } from './egress/abortable.ts'

export class DeadlineError extends Error {}

/** Ends the task at the deadline with DeadlineError, also when it does not heed its signal. */
export async function within<Result>(
  { deadlineMs, outer, clock }: { deadlineMs: number; outer?: AbortSignal; clock: Clock },
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController()
  const ended = new AbortController()
  clock.sleep(deadlineMs, ended.signal).then(
    () => late.abort(new DeadlineError(`No answer within ${deadlineMs} ms.`)),
    () => {},
  )
  const signal = outer === undefined ? late.signal : AbortSignal.any([outer, late.signal])
  try {
    return await abortable(task(signal), signal)
  } finally {
    ended.abort()
  }
}
