// /api/v1/admin/models/routes: the providers of language models that have answered lately, and how fast.
import type { FastifyInstance } from 'fastify'
import { describeRoutes, type RouteMeasures } from '#features/models/llm/describe-endpoints.ts'
import type { Models } from '#features/models/llm/routing/models.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, object, text, truth } from '../../doors/shapes.ts'

const number = { type: 'number' }
const percentiles = {
  anyOf: [object({ p50: number, p75: number, p90: number, p99: number }), { type: 'null' }],
}

export const listModelRoutes = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/models/routes`,
  who: 'operator',
  summary:
    'The providers of language models that have answered within the last half hour or fail now, with their speed.',
  answer: object({
    routes: list(
      object({
        model: text,
        provider: text,
        failing: truth,
        answers: integer,
        latency_ms: percentiles,
        tokens_per_second: percentiles,
        no_retention: truth,
      }),
    ),
  }),
})

export interface ModelRouteDependencies {
  models: Pick<Models, 'current'>
  measures: RouteMeasures
}

export function addModelRouteList(
  admin: FastifyInstance,
  { models, measures }: ModelRouteDependencies,
) {
  addRoute(admin, listModelRoutes, () => ({ routes: describeRoutes(models.current(), measures) }))
}
