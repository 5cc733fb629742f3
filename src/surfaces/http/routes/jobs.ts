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

export function addJobRoutes(
  server: FastifyInstance,
  dependencies: { poll: JobPoll; signer: UrlSigner },
) {
  server.get<JobRoute>('/api/jobs/:id', async (request, reply) => {
    const { id } = request.params
    if (!dependencies.signer.accepts(statusPurpose, id, request.query)) {
      throw fail('not_found', {
        message:
          'This status address is invalid or has expired. Use the status_url exactly as you received it.',
      })
    }
    const data = await dependencies.poll(id, Number(request.query.wait_seconds ?? 0))
    reply.header('content-type', 'application/json; charset=utf-8')
    return envelope({ output: JSON.stringify(data), charged: 0 })
  })
}

/** The path and query of a job's status address. */
export function signStatusPath(signer: UrlSigner, jobId: string, nowMs: number): string {
  return `/api/jobs/${jobId}?${signer.sign(statusPurpose, jobId, nowMs + statusLifetimeMs)}`
}
