// /api/v1/health: which actions work, for callers.
import type { FastifyInstance } from 'fastify'
import type { ActionHealth, HealthReport } from '#runner/history/health.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'
import { integerOrNull, list, object, objectWith, text } from '../../doors/shapes.ts'

/** `more`: what only the operator sees. */
export const shownHealth = (more: Record<string, object> = {}) =>
  objectWith(
    {
      action: text,
      status: { enum: ['healthy', 'degraded', 'failing', 'unknown', 'unavailable'] },
      p50_ms: integerOrNull,
      p95_ms: integerOrNull,
      ...more,
    },
    { reason: { ...text, description: 'Why it is unavailable.' } },
  )

export const readHealth = defineRoute({
  method: 'get',
  path: '/api/v1/health',
  who: 'account',
  summary:
    'Which actions work: how their calls of the last day have ended, and how long successful ones took.',
  answer: object({ actions: list(shownHealth()) }),
})

/** How many calls others make is not the caller's to know. */
export function addHealthRoute(server: FastifyInstance, { report }: { report: HealthReport }) {
  addRoute(server, readHealth, async () => ({
    actions: (await report.actions()).map(showHealth),
  }))
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
