// /api/v1/plans: the plans of an account, which are called as actions. The operator's are at /api/v1/admin/plans.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ClientBase } from 'pg'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros } from '#core/money.ts'
import { confirmsLoss, lossSentence } from '#core/pricing/loss.ts'
import {
  namedPlanBody,
  planBody,
  planName,
  type SavedPlan,
} from '#features/knowledge/plans/saved/saved-plan.ts'
import {
  type PlanOwner,
  requirePriceKind,
  type SavedPlans,
  type StoredPlan,
} from '#features/knowledge/plans/saved/saved-plans.ts'
import type { Once } from '#runner/once.ts'
import { addRoute } from '../../doors/add-route.ts'
import { readInput } from '../../doors/input.ts'
import type { Manager } from '../../doors/owner.ts'
import { defineRoute } from '../../doors/route.ts'
import { anyObject, integer, list, object, objectWith, text, truth } from '../../doors/shapes.ts'
import { answerOnce } from './once.ts'

export interface SavedPlanDependencies {
  savedPlans: SavedPlans
  /** Brings what this gateway sells up to date. */
  followOffers: () => Promise<void>
}

const difference = objectWith(
  { at: { ...text, description: 'A JSON pointer into the plan.' } },
  { before: {}, after: {} },
)
const shownPlan = objectWith(
  {
    name: text,
    action: { ...text, description: 'Run it by POST /api/run/{action}.' },
    title: text,
    input: anyObject,
    steps: list(anyObject),
    price: anyObject,
    example: anyObject,
    revision: integer,
    saved_at: text,
  },
  { notes: text, output: anyObject },
)
const changedPlan = object({
  name: text,
  action: text,
  revision: { type: ['integer', 'null'], description: 'Null: nothing was saved.' },
  differences: list(difference),
  warnings: { ...list(text), description: 'What is most likely a mistake, and may be right.' },
})

/** What the routes of accounts and of the operator have in common. */
export const planAnswers = {
  list: object({ plans: list(shownPlan) }),
  one: shownPlan,
  changed: changedPlan,
  revisions: object({ revisions: list(object({ revision: integer, saved_at: text })) }),
  retired: object({ name: text, action: text, retired: truth }),
}
const preview = z
  .enum(['true', 'false'])
  .default('false')
  .describe('true: check it and show the difference, and save nothing.')
export const planQueries = {
  one: z.strictObject({
    revision: z.coerce.number().int().min(1).optional().describe('An earlier one that is kept.'),
  }),
  create: z.strictObject({ preview }),
  change: z.strictObject({
    revision: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Save only in place of this revision.'),
    preview,
  }),
}
export const planPatch = z.record(z.string(), z.unknown())

const listPlans = defineRoute({
  method: 'get',
  path: '/api/v1/plans',
  who: 'manager',
  summary: 'The saved plans of the account.',
  answer: planAnswers.list,
})
const savePlan = defineRoute({
  method: 'post',
  path: '/api/v1/plans',
  who: 'manager',
  summary: 'Save a plan of run-plan under a name. From then on it is an action of the account.',
  query: planQueries.create,
  body: namedPlanBody,
  once: true,
  status: 201,
  answer: planAnswers.changed,
  errors: ['bad_request', 'forbidden', 'not_found', 'stale_etag'],
})
const readPlan = defineRoute({
  method: 'get',
  path: '/api/v1/plans/{name}',
  who: 'manager',
  summary: 'Read a saved plan, or an earlier revision of it.',
  query: planQueries.one,
  answer: planAnswers.one,
  errors: ['not_found'],
})
const listPlanRevisions = defineRoute({
  method: 'get',
  path: '/api/v1/plans/{name}/revisions',
  who: 'manager',
  summary: 'The latest revisions of a saved plan, newest first.',
  answer: planAnswers.revisions,
  errors: ['not_found'],
})
const replacePlan = defineRoute({
  method: 'put',
  path: '/api/v1/plans/{name}',
  who: 'manager',
  summary: 'Save a plan in place of the one that has its name, and read what differs.',
  query: planQueries.change,
  body: planBody,
  once: true,
  answer: planAnswers.changed,
  errors: ['bad_request', 'forbidden', 'not_found', 'stale_etag'],
})
const changePlan = defineRoute({
  method: 'patch',
  path: '/api/v1/plans/{name}',
  who: 'manager',
  summary: 'Change parts of a plan: a JSON merge patch (RFC 7396). Null removes a part.',
  query: planQueries.change,
  body: planPatch,
  once: true,
  answer: planAnswers.changed,
  errors: ['bad_request', 'forbidden', 'not_found', 'stale_etag'],
})
const retirePlan = defineRoute({
  method: 'delete',
  path: '/api/v1/plans/{name}',
  who: 'manager',
  summary: 'Retire a plan. Jobs of it that are under way end as they began.',
  once: true,
  answer: planAnswers.retired,
  errors: ['forbidden', 'not_found'],
})

export const savedPlanRoutes = [
  listPlans,
  savePlan,
  readPlan,
  listPlanRevisions,
  replacePlan,
  changePlan,
  retirePlan,
]

export function addSavedPlanRoutes(
  server: FastifyInstance,
  { once, ...dependencies }: SavedPlanDependencies & { once: Once },
) {
  const desk = createPlanDesk(dependencies)
  const onceFor =
    (request: FastifyRequest, reply: FastifyReply, { keyId }: Pick<Manager, 'keyId'>) =>
    <Answer extends object>(work: (client: ClientBase) => Promise<Answer>) =>
      answerOnce({ once, sender: `key ${keyId}` }, request, reply, work)

  addRoute(server, listPlans, ({ caller }) => desk.list(caller.accountId))
  addRoute(server, readPlan, ({ caller, params: { name }, query: { revision } }) =>
    desk.read(caller.accountId, name, revision),
  )
  addRoute(server, listPlanRevisions, ({ caller, params: { name } }) =>
    desk.revisions(caller.accountId, name),
  )
  addRoute(server, savePlan, ({ request, caller, query, body }, reply) => {
    if (query.preview === 'true') reply.code(200)
    return desk.create(caller.accountId, body, {
      ...query,
      carryOut: onceFor(request, reply, caller),
    })
  })
  addRoute(server, replacePlan, ({ request, caller, params: { name }, query, body }, reply) =>
    desk.replace({ owner: caller.accountId, name }, body, {
      ...query,
      carryOut: onceFor(request, reply, caller),
    }),
  )
  addRoute(server, changePlan, ({ request, caller, params: { name }, query, body }, reply) =>
    desk.patch({ owner: caller.accountId, name }, body, {
      ...query,
      carryOut: onceFor(request, reply, caller),
    }),
  )
  addRoute(server, retirePlan, ({ request, caller, params: { name } }, reply) =>
    desk.settled(
      onceFor(request, reply, caller)((client) => desk.retire(caller.accountId, name, client)),
    ),
  )
}

const planPlace = z.strictObject({ name: planName })

interface PlanPlace {
  readonly owner: PlanOwner
  readonly name: string
}

interface Saving {
  /** Save only in place of this revision. */
  readonly revision?: number | undefined
  readonly preview: 'true' | 'false'
  /** The operator may sell a plan below what its steps cost. */
  readonly confirmsBelowCost?: boolean
  /** Does the work in a transaction, once for the request. */
  readonly carryOut: <Answer extends object>(
    work: (client: ClientBase) => Promise<Answer>,
  ) => Promise<Answer>
}

/** What the routes of accounts and of the operator do. */
export function createPlanDesk({ savedPlans, followOffers }: SavedPlanDependencies) {
  const planOf = (
    owner: PlanOwner,
    name: string,
    { notes, output, ...body }: z.output<typeof planBody>,
  ): SavedPlan => ({
    format: 'tollway-plan/1',
    name: readInput(planPlace, { name }).name,
    account_id: owner ?? null,
    ...body,
    ...(notes !== undefined && { notes }),
    ...(output !== undefined && { output }),
  })

  const show = ({ document, name, revision, savedAt }: StoredPlan) => {
    const { format: _format, account_id: _owner, retired: _retired, ...shown } = document
    return { ...shown, action: name, revision, saved_at: savedAt }
  }
  async function settled<Answer>(work: Promise<Answer>): Promise<Answer> {
    const answer = await work
    await followOffers()
    await untilNoLongerTrusted()
    return answer
  }

  async function save(
    plan: SavedPlan,
    over: number | 'any' | undefined,
    { preview, confirmsBelowCost = false, carryOut }: Saving,
  ) {
    await followOffers()
    const warnings = savedPlans.check(plan)
    const least = confirmsBelowCost ? undefined : savedPlans.soldBelow(plan)
    if (least !== undefined) throw soldBelow(plan, least)
    if (preview === 'true') {
      const { id, differences } = await savedPlans.compare(plan, over)
      return { name: plan.name, action: id, revision: null, differences, warnings }
    }
    return await settled(
      carryOut(async (client) => {
        const { id, revision, differences } = await savedPlans.save(plan, over, client)
        return { name: plan.name, action: id, revision, differences, warnings }
      }),
    )
  }

  return {
    async list(owner: PlanOwner) {
      await followOffers()
      return { plans: savedPlans.list(owner).map(show) }
    },
    async read(owner: PlanOwner, name: string, revision: number | undefined) {
      const stored = await savedPlans.find(owner, name)
      if (revision === undefined || revision === stored.revision) return show(stored)
      return show(await savedPlans.findRevision(owner, name, revision))
    },
    async revisions(owner: PlanOwner, name: string) {
      const revisions = await savedPlans.revisions(owner, name)
      return {
        revisions: revisions.map(({ revision, savedAt }) => ({ revision, saved_at: savedAt })),
      }
    },
    create: (owner: PlanOwner, { name, ...body }: z.output<typeof namedPlanBody>, saving: Saving) =>
      save(planOf(owner, name, body), undefined, saving),
    replace: ({ owner, name }: PlanPlace, body: z.output<typeof planBody>, saving: Saving) =>
      save(planOf(owner, name, body), saving.revision ?? 'any', saving),
    /** A JSON merge patch of the revision that is read here. Another change meanwhile refuses this one. */
    async patch({ owner, name }: PlanPlace, patch: Patch, saving: Saving) {
      const { document, revision } = await savedPlans.find(owner, name)
      const { format: _format, account_id: _owner, name: _name, ...before } = document
      if (isObject(patch.price) && patch.price.kind !== undefined)
        requirePriceKind(document, patch.price.kind)
      const plan = planOf(owner, name, readInput(planBody, mergePatch(before, patch)))
      return await save(plan, saving.revision ?? revision, saving)
    },
    async retire(owner: PlanOwner, name: string, client: ClientBase) {
      const { name: action } = await savedPlans.retire(owner, name, client)
      return { name, action, retired: true }
    },
    /** Resolves to the answer once every gateway sells what has changed. */
    settled,
  }
}

/** Of a plan at a fixed price, the operator pays the steps. */
const soldBelow = ({ price }: SavedPlan, least: Micros) =>
  fail('bad_request', {
    message: lossSentence({
      paid: `callers pay ${price.kind === 'fixed' ? price.cents : 0}¢`,
      cost: `the steps of the example cost at least ${least / centsToMicros(1)}¢`,
      otherwise: confirmsLoss,
    }),
  })

type Patch = z.output<typeof planPatch>

const nestingMax = 32

/** RFC 7396. */
function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch)) return patch
  if (depth > nestingMax)
    throw fail('bad_request', { message: `The patch is nested more than ${nestingMax} deep.` })
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, part] of Object.entries(patch))
    if (part === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), part, depth + 1))
  return Object.fromEntries(merged)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
