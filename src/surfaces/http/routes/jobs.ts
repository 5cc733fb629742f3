// The status_url of a wallet's job: signed, so that it is polled without paying, proving or signing anything.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import type { UrlSigner } from '#core/ports.ts'
import { envelope } from '#runner/envelope.ts'
import type { JobPoll } from '#runner/history/result.ts'

const statusPurpose = 'job status'
/** As long as the output of a job is kept. */
const statusLifetimeMs = 30 * 86_400_000

interface JobRoute {
  Params: { id: string }
  Querystring: { exp?: string; sig?: string; wait_seconds?: string }
}

export function addJobRoutes(server: FastifyInstance, room: { poll: JobPoll; signer: UrlSigner }) {
  server.get<JobRoute>('/api/jobs/:id', async (request, reply) => {
    const { id } = request.params
    if (!room.signer.accepts(statusPurpose, id, request.query)) {
      throw fail('not_found', {
        message:
          'This status address is not valid, or no longer. Use the status_url as it was given.',
      })
    }
    const data = await room.poll(id, Number(request.query.wait_seconds ?? 0))
    reply.header('content-type', 'application/json; charset=utf-8')
    return envelope({ output: JSON.stringify(data), charged: 0 })
  })
}

/** The path and query of a job's status address. */
export function signStatusPath(signer: UrlSigner, jobId: string, nowMs: number): string {
  return `/api/jobs/${jobId}?${signer.sign(statusPurpose, jobId, nowMs + statusLifetimeMs)}`
}
