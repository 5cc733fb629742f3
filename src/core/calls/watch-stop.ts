// Tells a job that should stop while it waits for something else.
import type { JobContext } from '../action.ts'
import { fail } from '../errors.ts'

/** Within a second of a revocation, a job starts nothing more. */
const pollMs = 500

/**
 * Does the work of a job with a signal that aborts with `cancelled` once the job has a `stopReason`: it was cancelled,
 * is given up, or its caller has lost the right by which it runs.
 */
export async function whileWatchingStop<Result>(
  job: Pick<JobContext<unknown>, 'stopReason'>,
  work: (stopped: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stopped = new AbortController()
  const look = async () => {
    if ((await job.stopReason()) !== undefined) stopped.abort(fail('cancelled'))
  }
  await look()
  // A look that fails is repeated.
  const timer = setInterval(() => void look().catch(() => {}), pollMs)
  try {
    return await work(stopped.signal)
  } finally {
    clearInterval(timer)
  }
}
