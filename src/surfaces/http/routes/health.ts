// /api/v1/health: which actions work, for callers.
import type { FastifyInstance } from 'fastify'
import type { ActionHealth, HealthReport } from '#runner/history/health.ts'
import { requireCaller } from '../server.ts'

/** How many calls others make is not the caller's to know. */
export function addHealthRoute(server: FastifyInstance, { report }: { report: HealthReport }) {
  server.get('/api/v1/health', async (request) => {
    requireCaller(request)
    return { actions: (await report.actions()).map(showHealth) }
  })
}

export const showHealth = ({
  id,
  status,
  reason,
  p50Ms,
  p95Ms,
}: Pick<ActionHealth, 'id' | 'status' | 'reason' | 'p50Ms' | 'p95Ms'>) => ({
  action: id,
  status,
  ...(reason === undefined ? {} : { reason }),
  p50_ms: p50Ms ?? null,
  p95_ms: p95Ms ?? null,
})
