import type { JobProgress } from '../action.ts'

/** A caller at the other end of a connection, who sees how far the work is and may cancel it. */
export interface CallListener {
  readonly report: (progress: JobProgress) => void
  /** Aborted when the caller cancels the call or has gone. The call then fails, and is free. */
  readonly signal: AbortSignal
}
