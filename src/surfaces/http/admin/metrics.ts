// /metrics: what Prometheus reads.
import type { FastifyInstance } from 'fastify'
import { fail } from '#core/errors.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute } from '../../doors/route.ts'

export interface ShownMetrics {
  readonly contentType: string
  render(): Promise<string>
}

export const readMetrics = defineRoute({
  method: 'get',
  path: '/metrics',
  who: 'operator',
  summary: 'The metrics of this gateway, as Prometheus reads them.',
  type: 'text/plain',
  errors: ['not_found'],
})

export function addMetricsRoute(
  admin: FastifyInstance,
  { metrics }: { metrics: ShownMetrics | undefined },
) {
  addRoute(admin, readMetrics, async (_asked, reply) => {
    if (metrics === undefined)
      throw fail('not_found', {
        message: 'This gateway measures nothing. Set METRICS=on and restart it.',
      })
    return reply.type(metrics.contentType).send(await metrics.render())
  })
}
