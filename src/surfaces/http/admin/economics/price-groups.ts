// /api/v1/admin/price-groups: groups of accounts, and what actions cost them from a date.
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/accounts.ts'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import type { PriceGroups } from '#accounts/price-groups.ts'
import { z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { Costs } from '#money/costs/costs.ts'
import type { UsageSums } from '#runner/history/usage.ts'
import type { GroupPrices } from '#runner/pricing/group-prices.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../../doors/route.ts'
import { integer, list, object, text, textOrNull } from '../../../doors/shapes.ts'
import { noAccount } from '../accounts.ts'
import type { Operations } from '../operations.ts'
import { askedValue, findSold, previewQuery, wrongField } from '../price-overrides.ts'
import {
  belowCost,
  isBelowCost,
  readKnownCosts,
  showGroupPrice,
  toOverride,
} from '../price-preview.ts'

const startYearsMax = 5
const noGroup = 'There is no such group. GET /api/v1/admin/price-groups lists all groups.'

const newPrice = previewQuery.extend({
  general: z.literal(true).optional().describe('The price of everyone, from then on.'),
  starts_at: z.iso.datetime({ offset: true }).optional().describe('Default: at once.'),
  confirm_below_cost: z.boolean().default(false),
})

const groupPrice = object({
  action: text,
  state: { enum: ['later', 'in_force', 'over'] },
  starts_at: text,
  price_usd: textOrNull,
  factor: textOrNull,
  price: { ...textOrNull, description: 'Null: the price of everyone, or one that no longer fits.' },
  is_general: { type: 'boolean', description: 'From then on the group has the price of everyone.' },
  set_at: text,
})
const group = {
  price_group_id: text,
  name: text,
  accounts: integer,
  created_at: text,
  prices: list(groupPrice),
}

const listPriceGroups = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/price-groups`,
  who: 'operator',
  summary: 'The groups of accounts that have prices of their own, with these prices.',
  answer: object({ price_groups: list(object(group)) }),
})
const createPriceGroup = defineRoute({
  method: 'post',
  path: `${operatorPrefix}/price-groups`,
  who: 'operator',
  summary: 'Open a group of accounts.',
  body: z.strictObject({ name: z.string().trim().min(1).max(100) }),
  once: true,
  status: 201,
  answer: object({ price_group_id: text, name: text }),
})
const removePriceGroup = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/price-groups/{id}`,
  who: 'operator',
  summary: 'Remove a group that has no accounts.',
  ids: { id: noGroup },
  once: true,
  answer: object({ price_group_id: text, removed: { const: true } }),
})
const setGroupPrice = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/price-groups/{id}/prices/{service}/{action}`,
  who: 'operator',
  summary: 'Set what an action costs the accounts of a group, from now or from a date.',
  ids: { id: noGroup },
  body: newPrice,
  once: true,
  answer: groupPrice,
})
const removeGroupPrice = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/price-groups/{id}/prices/{service}/{action}`,
  who: 'operator',
  summary: 'Withdraw a price of a group that has not started.',
  ids: { id: noGroup },
  query: z.strictObject({ starts_at: z.iso.datetime({ offset: true }) }),
  once: true,
  answer: object({ action: text, starts_at: text, removed: { const: true } }),
})
const assignPriceGroup = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/accounts/{id}/price-group`,
  who: 'operator',
  summary: 'Put an account in a group, or with null in none.',
  ids: { id: noAccount },
  body: z.strictObject({ price_group_id: z.uuid().nullable() }),
  once: true,
  answer: object({ account_id: text, price_group_id: textOrNull }),
})

export const priceGroupRoutes = [
  listPriceGroups,
  createPriceGroup,
  removePriceGroup,
  setGroupPrice,
  removeGroupPrice,
  assignPriceGroup,
] as const

export interface PriceGroupDependencies {
  priceGroups: PriceGroups
  groupPrices: GroupPrices
}

type Parts = PriceGroupDependencies & {
  accounts: Pick<Accounts, 'isCaller'>
  operations: Operations
  usage: UsageSums
  costs: Costs
  clock: Clock
}

export function addPriceGroupRoutes(admin: FastifyInstance, dependencies: Parts) {
  const { priceGroups, groupPrices, operations, accounts } = dependencies
  const { catalog } = groupPrices
  addGroupPriceRoutes(admin, dependencies)

  addRoute(admin, listPriceGroups, async () => {
    const [groups, prices] = await Promise.all([priceGroups.list(), groupPrices.list()])
    return {
      price_groups: groups.map(({ id, name, accounts: count, createdAt }) => ({
        price_group_id: id,
        name,
        accounts: count,
        created_at: createdAt,
        prices: prices
          .filter(({ priceGroup }) => priceGroup === id)
          .map((price) => showGroupPrice(catalog, price)),
      })),
    }
  })

  addRoute(admin, createPriceGroup, async ({ request, body: { name } }, reply) => {
    const open = async (client: Parameters<PriceGroups['create']>[1]) => {
      const made = await priceGroups.create(name, client)
      if (made === undefined)
        throw fail('bad_request', { message: `There is a group called ${name} already.` })
      return { price_group_id: made.id, name }
    }
    const operation = { action: 'price_group.create' }
    return await operations.perform(request, reply, operation, open, (made) => made.price_group_id)
  })

  addRoute(admin, removePriceGroup, async ({ request, params: { id } }, reply) => {
    const { accounts: count } = await requireGroup(priceGroups, id)
    const operation = { action: 'price_group.remove', subject: id }
    return await operations.perform(request, reply, operation, async (client) => {
      if (!(await priceGroups.remove(id, client)))
        throw fail('bad_request', {
          message: `This group has ${count} accounts. Put them in another group, or in none, first.`,
        })
      return { price_group_id: id, removed: true }
    })
  })

  addRoute(admin, assignPriceGroup, async ({ request, params: { id }, body }, reply) => {
    const { price_group_id } = body
    if (price_group_id !== null) await requireGroup(priceGroups, price_group_id)
    const operation = { action: 'account.price_group', subject: id }
    const assigned = await operations.perform(request, reply, operation, async (client) => {
      const isAssigned =
        (await accounts.isCaller(id)) && (await priceGroups.assign(id, price_group_id, client))
      if (!isAssigned) throw fail('not_found', { message: noAccount })
      return { account_id: id, price_group_id }
    })
    await untilNoLongerTrusted()
    return assigned
  })
}

/** The prices of the groups. */
function addGroupPriceRoutes(admin: FastifyInstance, dependencies: Parts) {
  const { priceGroups, groupPrices, operations, clock } = dependencies
  const { catalog } = groupPrices

  addRoute(admin, setGroupPrice, async ({ request, params, body }, reply) => {
    const { confirm_below_cost, general, starts_at, ...asked } = body
    const { id: priceGroup } = params
    await requireGroup(priceGroups, priceGroup)
    const sold = findSold(catalog, params)
    const value = general === true ? undefined : askedValue(sold, asked)
    const hasBoth = general === true && Object.values(asked).some((each) => each !== undefined)
    if (hasBoth || (general !== true && value === undefined)) throw wrongField(sold)
    const startsAt = readStart(starts_at, new Date(clock.now()))
    const operation = { action: 'price_group.price', subject: `${priceGroup} ${sold.id}` }
    const set = await operations.perform(request, reply, operation, async (client) => {
      if (value !== undefined && !confirm_below_cost) {
        const recent = await readKnownCosts(dependencies, sold, startsAt)
        if (isBelowCost(sold, value, recent)) throw belowCost(sold, value, recent)
      }
      const override = value === undefined ? undefined : toOverride(sold, value)
      const price = { priceGroup, override, startsAt }
      return showGroupPrice(catalog, await groupPrices.set(sold.entry, price, client))
    })
    await untilNoLongerTrusted()
    return set
  })

  addRoute(admin, removeGroupPrice, async ({ request, params, query }, reply) => {
    const { id: priceGroup, service, action } = params
    const price = {
      priceGroup,
      action: `${service}/${action}`,
      startsAt: new Date(query.starts_at),
    }
    const operation = { action: 'price_group.withdraw', subject: `${priceGroup} ${price.action}` }
    return await operations.perform(request, reply, operation, async (client) => {
      if (!(await groupPrices.withdraw(price, client)))
        throw fail('not_found', {
          message:
            'This group has no price of this action that starts then, or it has started. Set another price to end it.',
        })
      return { action: price.action, starts_at: price.startsAt, removed: true }
    })
  })
}

async function requireGroup(priceGroups: PriceGroups, id: string) {
  const found = await priceGroups.find(id)
  if (found === undefined) throw fail('not_found', { message: noGroup })
  return found
}

/** Undefined: at once. */
function readStart(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const [startsAt, latest] = [new Date(text), new Date(now)]
  latest.setUTCFullYear(latest.getUTCFullYear() + startYearsMax)
  if (startsAt > now && startsAt <= latest) return startsAt
  throw fail('bad_request', {
    message: `starts_at must be in the future, and at most ${startYearsMax} years from now. Leave it out for a price that holds at once.`,
  })
}
