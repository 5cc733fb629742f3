// What several doors answer about an account and its jobs.
import type { Caller } from '#core/caller.ts'

/** Shows the balance, holds, limits, running jobs and open sessions of an account or a wallet. Throws `not_found`. */
export type DescribeAccount = (caller: Caller) => Promise<object>

/** The envelope of a job by its signed status address. Throws `not_found`. */
export type ReadJobStatus = (
  jobId: string,
  signature: { readonly exp?: string; readonly sig?: string },
  waitSeconds: number,
) => Promise<string>
