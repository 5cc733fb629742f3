// /api/v1/admin/canaries: whether the vendors of this gateway still answer as its actions need them to.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { checkStates } from '#core/canaries/check.ts'
import { showDrift } from '#core/canaries/drift.ts'
import { microsToUsd } from '#core/money.ts'
import type { Canaries } from '#runner/providers/canaries/canaries.ts'
import type { CanaryCheck } from '#runner/providers/canaries/canary-checks.ts'
import { addRoute } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import {
  anyObject,
  integer,
  integerOrNull,
  list,
  object,
  text,
  textOrNull,
  truth,
} from '../../doors/shapes.ts'
import type { Operations } from './operations.ts'

const centsMax = 1_000_000
const number = { type: 'number' }

const check = {
  check_id: text,
  provider: text,
  action: text,
  asked_by: { enum: ['operator', 'schedule'] },
  state: {
    enum: ['running', ...checkStates],
    description:
      '`drifted`: it answers, and differs from what is expected. `failed`: no usable answer. `unclear`: it was busy, or the check was stopped.',
  },
  says: textOrNull,
  fix: textOrNull,
  diff: {
    ...list(text),
    description:
      'What differs from the expected reply: `-` what is missing, `+` what is new, `~` what has changed.',
  },
  cost_usd: { ...textOrNull, description: 'At the provider. Null: it does not say.' },
  took_ms: integerOrNull,
  started_at: text,
  ended_at: textOrNull,
  accepted_at: textOrNull,
  has_reply: { ...truth, description: 'Its requests and replies are kept.' },
}
const shownCheck = object(check)

const canary = object({
  provider: text,
  title: text,
  mode: text,
  action: {
    ...textOrNull,
    description:
      'Its cheapest harmless call, or what a price rule with `canary` names. Null: it is not asked.',
  },
  reason: { ...textOrNull, description: 'Why it is not asked.' },
  cents_at_most: {
    ...number,
    description: 'What one check may cost at the provider. 0 where that is not known.',
  },
  is_cost_known: {
    ...truth,
    description: 'False: it asks an API that you sell, and you have declared no cost of its calls.',
  },
  last: { ...shownCheck, type: ['object', 'null'] },
})

const listCanaries = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/canaries`,
  who: 'operator',
  summary:
    'The configured providers, the cheapest harmless call of each, what it may cost, and what the last check has found.',
  answer: object({
    interval_hours: { ...integer, description: '0: checked only when the operator asks.' },
    cents_at_most: { ...number, description: 'What one check of each provider may cost together.' },
    canaries: list(canary),
  }),
})
const checkCanary = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/canaries/{provider}/checks`,
  who: 'operator',
  summary:
    'Begin a check of a provider: its cheapest harmless call, at the operator’s cost. While one runs at any gateway, the answer is that one.',
  body: z.strictObject({
    max_cents: z
      .number()
      .min(0)
      .max(centsMax)
      .describe('The most that it may cost at the provider: `cents_at_most` of the list.'),
  }),
  status: 202,
  answer: shownCheck,
  errors: ['bad_request', 'not_found', 'max_cost_exceeded', 'provider_not_configured'],
})
const listCanaryChecks = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/canaries/{provider}/checks`,
  who: 'operator',
  summary: 'The checks of a provider, newest first.',
  answer: object({ checks: list(shownCheck) }),
})
const noCheck = 'There is no such check.'
const ids = { id: noCheck }
const readCanaryCheck = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/canaries/{provider}/checks/{id}`,
  who: 'operator',
  summary:
    'A check with its requests and replies, without secrets and the data of people. The latest ten of a provider are kept.',
  ids,
  answer: object({ ...check, exchanges: list(anyObject) }),
})
const readCanaryFixture = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/canaries/{provider}/checks/{id}/fixture`,
  who: 'operator',
  summary:
    'The reply as a file in the form of the catalog’s fixtures, without secrets, to send to those who maintain the action.',
  ids,
  answer: anyObject,
  errors: ['not_found'],
})
const acceptCanaryReply = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/canaries/{provider}/checks/{id}/accept`,
  who: 'operator',
  summary: 'Say that this reply is right: the next one may be like it, or like those before.',
  ids,
  once: true,
  answer: object({ check_id: text, accepted: { const: true } }),
  errors: ['not_found'],
})

export const canaryRoutes = [
  listCanaries,
  checkCanary,
  listCanaryChecks,
  readCanaryCheck,
  readCanaryFixture,
  acceptCanaryReply,
] as const

export interface CanaryRoutesDependencies {
  readonly canaries: Canaries
}

export function addCanaryRoutes(
  admin: FastifyInstance,
  { canaries, operations }: CanaryRoutesDependencies & { operations: Operations },
) {
  addRoute(admin, listCanaries, async () => {
    const all = await canaries.list()
    return {
      interval_hours: canaries.intervalHours,
      cents_at_most: round(all.reduce((sum, { probe }) => sum + (probe?.cents ?? 0), 0)),
      canaries: all.map(({ provider, mode, probe, reason, last }) => ({
        provider: provider.id,
        title: provider.title,
        mode,
        action: probe?.id ?? null,
        reason: reason ?? null,
        cents_at_most: round(probe?.cents ?? 0),
        is_cost_known: probe?.isCostUnknown !== true,
        last: last === undefined ? null : show(last),
      })),
    }
  })
  addRoute(admin, checkCanary, async ({ request, params: { provider }, body }) => {
    const begun = await canaries.begin(provider, body.max_cents)
    const details = { ...body, check_id: begun.id }
    await operations.announce(request, { action: 'canary.check', subject: provider, details })
    return show(begun)
  })
  addRoute(admin, listCanaryChecks, async ({ params: { provider } }) => ({
    checks: (await canaries.checks(provider)).map(show),
  }))
  addRoute(admin, readCanaryCheck, async ({ params: { provider, id } }, reply) => {
    const found = await canaries.find(provider, id)
    reply.header('cache-control', 'no-store')
    return { ...show(found), exchanges: found.exchanges ?? [] }
  })
  addRoute(admin, readCanaryFixture, async ({ params: { provider, id } }, reply) => {
    const fixture = await canaries.fixture(provider, id)
    const name = `${fixture.action.replace('/', '.')}.json`
    reply.header('cache-control', 'no-store')
    reply.header('content-disposition', `attachment; filename="${name}"`)
    return fixture
  })
  addRoute(admin, acceptCanaryReply, async ({ request, params: { provider, id } }, reply) => {
    const operation = { action: 'canary.accept', subject: provider, details: { check_id: id } }
    return await operations.perform(request, reply, operation, async (client) => {
      await canaries.accept(provider, id, client)
      return { check_id: id, accepted: true }
    })
  })
}

const round = (cents: number) => Number(cents.toFixed(4))

const show = ({ id, provider, action, ...check }: CanaryCheck) => ({
  check_id: id,
  provider,
  action,
  asked_by: check.askedBy,
  state: check.state ?? 'running',
  says: check.says,
  fix: check.fix,
  diff: (check.drift ?? []).map(showDrift),
  cost_usd: check.cost === null ? null : microsToUsd(check.cost),
  took_ms: check.tookMs,
  started_at: check.startedAt,
  ended_at: check.endedAt,
  accepted_at: check.acceptedAt,
  has_reply: check.hasReply,
})
