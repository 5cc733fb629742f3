// The status_url of a wallet's job. The URL is signed, so the wallet polls it without a payment or a proof.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import type { UrlSigner } from '#core/ports.ts'
import { envelope } from '#runner/envelope.ts'
import type { JobPoll } from '#runner/history/result.ts'

const statusPurpose = 'job status'
/** The output of a job is kept for the same time. */
const statusLifetimeMs = 30 * 86_400_000

interface JobRoute {
  Params: { id: string }
  Querystring: { exp?: string; sig?: string; wait_seconds?: string }
}

/** The envelope of a job by its signed status address. Throws `not_found`. */
export type ReadJobStatus = (
  jobId: string,
  signature: { readonly exp?: string; readonly sig?: string },
  waitSeconds: number,
) => Promise<string>

export function createJobStatus({
  poll,
  signer,
}: {
  poll: JobPoll
  signer: UrlSigner
}): ReadJobStatus {
  return async (jobId, signature, waitSeconds) => {
    if (!signer.accepts(statusPurpose, jobId, signature)) {
      throw fail('not_found', {
        message:
          'This status address is invalid or has expired. Use the status_url exactly as you received it.',
      })
    }
    return envelope({ output: JSON.stringify(await poll(jobId, waitSeconds)), charged: 0 })
  }
}

export function addJobRoutes(server: FastifyInstance, readStatus: ReadJobStatus) {
  server.get<JobRoute>('/api/jobs/:id', async ({ params, query }, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    return await readStatus(params.id, query, Number(query.wait_seconds ?? 0))
  })
}

/** The path and query of a job's status address. */
export function signStatusPath(signer: UrlSigner, jobId: string, nowMs: number): string {
  return `/api/jobs/${jobId}?${signer.sign(statusPurpose, jobId, nowMs + statusLifetimeMs)}`
}
