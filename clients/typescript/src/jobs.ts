// Jobs: calls whose answer takes longer than a request.
import { type Answer, readAnswer } from './answers.ts'
import { TollwayError } from './errors.ts'
import type { Transport } from './transport.ts'

export interface Progress {
  readonly phase: string
  readonly percent: number
  readonly done: number
  readonly total: number
}

export interface WaitOptions {
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Ends the waiting. The job goes on. */
  readonly signal?: AbortSignal | undefined
}

export interface Job<Result> {
  readonly id: string
  /** A signed address at which the job of a wallet is polled without a wallet. Keep it: it leads back to the job. */
  readonly statusUrl?: string
  /** Waits for the end, for as long as it takes. Throws the error of a job that failed, which cost nothing. */
  result(options?: WaitOptions): Promise<Answer<Result>>
  /**
   * Ends the job early. `cancelled`: it had not begun, and costs nothing. `stopping`: it ends with what it has
   * delivered, which `result` returns. `ended`: it had ended before. Throws `job_begun` for a job that cannot be
   * stopped any more.
   */
  cancel(): Promise<'cancelled' | 'stopping' | 'ended'>
}

/**
 * How long the gateway keeps one poll open. Shorter where progress is watched, because a poll ends only with the job or
 * its time.
 */
const pollSeconds = { quiet: 20, watched: 2 } as const

interface Poll<Result> {
  readonly status: 'running' | 'succeeded' | 'failed'
  readonly progress?: Progress
  readonly result?: Result
  readonly error?: string
  readonly message?: string
  readonly charged_cents: number
  readonly charged_usd: string
}

export interface JobHandle {
  readonly job_id: string
  readonly status_url?: string
}

/** Whether an answer is the handle of a job: some actions answer small inputs at once. */
export const isJobHandle = (data: unknown): data is JobHandle =>
  typeof data === 'object' && data !== null && 'job_id' in data && 'async' in data

export function openJob<Result>(
  { transport, ownNamespace }: { transport: Transport; ownNamespace: string },
  { job_id: id, status_url: statusUrl }: JobHandle,
): Job<Result> {
  function poll(seconds: number, signal: AbortSignal | undefined): Promise<Answer<Poll<Result>>> {
    if (statusUrl !== undefined)
      return transport.send(
        { method: 'GET', at: `${statusUrl}&wait_seconds=${seconds}`, signal },
        readAnswer<Poll<Result>>,
      )
    const json = { job_id: id, wait_seconds: seconds }
    const at = `/api/run/${ownNamespace}/result`
    return transport.send(
      { method: 'POST', at, json, repeatable: true, signal },
      readAnswer<Poll<Result>>,
    )
  }

  return {
    id,
    ...(statusUrl === undefined ? {} : { statusUrl }),
    async result({ onProgress, signal } = {}) {
      const seconds = onProgress === undefined ? pollSeconds.quiet : pollSeconds.watched
      for (;;) {
        const { data, ...answer } = await poll(seconds, signal)
        if (data.status === 'running') {
          if (data.progress !== undefined) onProgress?.(data.progress)
          continue
        }
        if (data.status === 'failed') throw failureOf(id, data)
        return {
          ...answer,
          data: data.result as Result,
          chargedCents: data.charged_cents,
          chargedUsd: data.charged_usd,
          transactionId: id,
        }
      }
    },
    async cancel() {
      const at = `/api/run/${ownNamespace}/cancel`
      const { data } = await transport.send(
        { method: 'POST', at, json: { job_id: id }, repeatable: true },
        readAnswer<{ status: 'cancelled' | 'stopping' | 'ended' }>,
      )
      return data.status
    },
  }
}

const failureOf = (id: string, { error = 'upstream_error', message, result }: Poll<unknown>) =>
  new TollwayError(error, { message: message ?? error, transactionId: id, data: result })
