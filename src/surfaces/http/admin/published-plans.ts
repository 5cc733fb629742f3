// /api/v1/admin/plans: the plans that the operator publishes as actions for everyone.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ClientBase } from 'pg'
import { z } from '#core/action.ts'
import { namedPlanBody, planBody } from '#features/knowledge/plans/saved/saved-plan.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import {
  createPlanDesk,
  planAnswers,
  planPatch,
  planQueries,
  type SavedPlanDependencies,
} from '../routes/saved-plans.ts'
import type { Operations } from './operations.ts'

const confirmBelowCost = {
  confirm_below_cost: z
    .boolean()
    .default(false)
    .describe('Sell it at a fixed price below what the steps of its example cost.'),
}

const listPublishedPlans = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/plans`,
  who: 'operator',
  summary: 'The plans that are published as actions for everyone.',
  answer: planAnswers.list,
})
const publishPlan = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/plans`,
  who: 'operator',
  summary:
    'Publish a plan of run-plan as an action for everyone. All gateways sell it within a second.',
  query: planQueries.create,
  body: namedPlanBody.extend(confirmBelowCost),
  once: true,
  status: 201,
  answer: planAnswers.changed,
  errors: ['bad_request', 'not_found', 'stale_etag'],
})
const readPublishedPlan = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/plans/{name}`,
  who: 'operator',
  summary: 'Read a published plan, or an earlier revision of it.',
  query: planQueries.one,
  answer: planAnswers.one,
  errors: ['not_found'],
})
const listPublishedRevisions = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/plans/{name}/revisions`,
  who: 'operator',
  summary: 'The latest revisions of a published plan, newest first.',
  answer: planAnswers.revisions,
  errors: ['not_found'],
})
const replacePublishedPlan = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/plans/{name}`,
  who: 'operator',
  summary: 'Publish a plan in place of the one that has its name, and read what differs.',
  query: planQueries.change,
  body: planBody.extend(confirmBelowCost),
  once: true,
  answer: planAnswers.changed,
  errors: ['bad_request', 'not_found', 'stale_etag'],
})
const changePublishedPlan = defineRoute({
  method: 'patch',
  path: `${operatorPrefix}/plans/{name}`,
  who: 'operator',
  summary: 'Change parts of a published plan: a JSON merge patch (RFC 7396).',
  query: planQueries.change,
  body: planPatch,
  once: true,
  answer: planAnswers.changed,
  errors: ['bad_request', 'not_found', 'stale_etag'],
})
const retirePublishedPlan = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/plans/{name}`,
  who: 'operator',
  summary: 'Retire a published plan. Jobs of it that are under way end as they began.',
  once: true,
  answer: planAnswers.retired,
  errors: ['not_found'],
})

export const publishedPlanRoutes = [
  listPublishedPlans,
  publishPlan,
  readPublishedPlan,
  listPublishedRevisions,
  replacePublishedPlan,
  changePublishedPlan,
  retirePublishedPlan,
]

export function addPublishedPlanRoutes(
  admin: FastifyInstance,
  { operations, ...dependencies }: SavedPlanDependencies & { operations: Operations },
) {
  const desk = createPlanDesk(dependencies)
  const recorded =
    (request: FastifyRequest, reply: FastifyReply, subject: string) =>
    <Answer extends object>(work: (client: ClientBase) => Promise<Answer>) => {
      const action = request.method === 'DELETE' ? 'plan.retire' : 'plan.save'
      return operations.perform(request, reply, { action, subject, details: {} }, work)
    }

  addRoute(admin, listPublishedPlans, () => desk.list(undefined))
  addRoute(admin, readPublishedPlan, ({ params: { name }, query: { revision } }) =>
    desk.read(undefined, name, revision),
  )
  addRoute(admin, listPublishedRevisions, ({ params: { name } }) => desk.revisions(undefined, name))
  addRoute(admin, publishPlan, ({ request, query, body }, reply) => {
    if (query.preview === 'true') reply.code(200)
    const { confirm_below_cost: confirmsBelowCost, ...plan } = body
    return desk.create(undefined, plan, {
      ...query,
      confirmsBelowCost,
      carryOut: recorded(request, reply, plan.name),
    })
  })
  addRoute(admin, replacePublishedPlan, ({ request, params: { name }, query, body }, reply) => {
    const { confirm_below_cost: confirmsBelowCost, ...plan } = body
    return desk.replace({ owner: undefined, name }, plan, {
      ...query,
      confirmsBelowCost,
      carryOut: recorded(request, reply, name),
    })
  })
  addRoute(admin, changePublishedPlan, ({ request, params: { name }, query, body }, reply) => {
    const { confirm_below_cost: confirms, ...patch } = body
    return desk.patch({ owner: undefined, name }, patch, {
      ...query,
      confirmsBelowCost: confirms === true,
      carryOut: recorded(request, reply, name),
    })
  })
  addRoute(admin, retirePublishedPlan, ({ request, params: { name } }, reply) =>
    desk.settled(recorded(request, reply, name)((client) => desk.retire(undefined, name, client))),
  )
}
