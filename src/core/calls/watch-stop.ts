// Tells a job that should stop while it waits for something else.
import type { JobContext } from '../action.ts'
import { fail } from '../errors.ts'

/** Within a second of a revocation, a job starts nothing more. */
const pollMs = 500

export interface StopWatch {
  /** Aborts with `cancelled` once the job has a `stopReason`. */
  readonly signal: AbortSignal
  close(): void
}

/**
 * Asks for the `stopReason` of a job now and until it is closed: it was cancelled, is given up, or its caller has lost
 * the right by which it runs.
 */
export async function watchStop(job: Pick<JobContext<unknown>, 'stopReason'>): Promise<StopWatch> {
  const stopped = new AbortController()
  const look = async () => {
    if ((await job.stopReason()) !== undefined) stopped.abort(fail('cancelled'))
  }
  await look()
  // A look that fails is repeated.
  const timer = setInterval(() => void look().catch(() => {}), pollMs)
  return { signal: stopped.signal, close: () => clearInterval(timer) }
}
