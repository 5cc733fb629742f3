// /api/v1/admin/price-overrides: prices of the operator's own, in place of those of the catalog.
import type { FastifyInstance } from 'fastify'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import { z } from '#core/action.ts'
import { splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, parseUsd } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { type Millionths, millionthsPerOne, parseFactor } from '#core/pricing/override.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { Costs } from '#money/costs/costs.ts'
import type { UsageSums } from '#runner/history/usage.ts'
import type { PriceOverrides } from '#runner/pricing/price-overrides.ts'
import { addRoute, type Handler } from '../../doors/add-route.ts'
import { defineRoute, operatorPrefix } from '../../doors/route.ts'
import { integer, list, object, text, textOrNull } from '../../doors/shapes.ts'
import { showsPrices } from '../server.ts'
import type { Operations } from './operations.ts'
import {
  belowCost,
  isBelowCost,
  readKnownCosts,
  readSold,
  type SoldAction,
  showOverride,
  showPreview,
  toOverride,
} from './price-preview.ts'

/** A thousand dollars. */
const priceMicrosMax = centsToMicros(100_000)
const factorMin: Millionths = millionthsPerOne / 100
const factorMax: Millionths = millionthsPerOne * 100

/** Exact dollars for a call or a unit: `0.025`. */
const priceUsd = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,6})?$/, 'must be dollars with at most six places, such as 0.025')
  .transform(parseUsd)
  .refine((micros) => micros > 0 && micros <= priceMicrosMax, 'must be above 0 and at most 1000')

/** Exact too: `1.25`. */
const factor = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a number with at most six places, such as 1.25')
  .transform(parseFactor)
  .refine((found) => found >= factorMin && found <= factorMax, 'must be from 0.01 to 100')

export const previewQuery = z.strictObject({
  price_usd: priceUsd.optional(),
  factor: factor.optional(),
})

const newOverride = previewQuery.extend({
  /** The operator knows that calls may cost more than they bring at this price. */
  confirm_below_cost: z.boolean().default(false),
})

interface PriceRoute {
  Params: { service: string; action: string }
}

export interface PriceRoutesDependencies {
  prices: PriceOverrides
  usage: UsageSums
  costs: Costs
  clock: Clock
}

const preview = object({
  action: text,
  kind: {
    enum: ['call', 'unit', 'factor'],
    description: 'What is set: the price of a call, that of a unit, or a factor for all amounts.',
  },
  unit: textOrNull,
  price_usd: textOrNull,
  factor: textOrNull,
  current_price_usd: textOrNull,
  current_factor: textOrNull,
  catalog_price_usd: textOrNull,
  price: text,
  current_price: text,
  catalog_price: text,
  last_30_days: object({
    calls: integer,
    charged_calls: integer,
    calls_with_known_cost: integer,
    charged_usd: text,
    known_cost_usd: text,
    charged_less_known_cost_usd: text,
  }),
  at_this_price: object({ charged_usd: text, charged_less_known_cost_usd: text }),
  worst_cost_usd: {
    ...textOrNull,
    description:
      'The largest known cost of a charged call of these days, or of a unit, or what you have declared if that is more. Null: no cost is known, or a factor is set.',
  },
  worst_cost_factor: {
    ...textOrNull,
    description:
      'The factor at which the call with the largest share of cost would bring its cost.',
  },
  price_less_worst_cost_usd: textOrNull,
  is_below_worst_cost: { type: 'boolean' },
  inner_spend_max_usd: {
    ...textOrNull,
    description: 'What the calls inside one call can cost, where a flat price includes them.',
  },
  is_below_inner_spend: { type: 'boolean' },
})

export const listOverrides = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/price-overrides`,
  who: 'operator',
  summary: 'The prices that the operator has set in place of those of the catalog.',
  answer: object({
    price_overrides: list(
      object({
        action: text,
        price_usd: textOrNull,
        factor: textOrNull,
        price: textOrNull,
        catalog_price_usd: textOrNull,
        catalog_price: textOrNull,
        applies: { type: 'boolean' },
        set_at: text,
      }),
    ),
  }),
})
export const previewOverride = defineRoute({
  method: 'get',
  path: `${operatorPrefix}/price-overrides/{service}/{action}`,
  who: 'operator',
  summary: 'What the calls of the last 30 days would have earned at another price.',
  query: previewQuery,
  answer: preview,
})
export const setOverride = defineRoute({
  method: 'put',
  path: `${operatorPrefix}/price-overrides/{service}/{action}`,
  who: 'operator',
  summary:
    'Set an amount, or a factor, in place of the price of the catalog. It holds at all gateways once it is answered.',
  body: newOverride,
  once: true,
  answer: preview,
})
export const removeOverride = defineRoute({
  method: 'delete',
  path: `${operatorPrefix}/price-overrides/{service}/{action}`,
  who: 'operator',
  summary: 'Restore the price of the catalog.',
  once: true,
  answer: object({ action: text, removed: { const: true } }),
})

export function addPriceOverrideRoutes(
  admin: FastifyInstance,
  dependencies: PriceRoutesDependencies & { operations: Operations },
) {
  const { prices, operations } = dependencies
  const { catalog } = prices

  addRoute(admin, listOverrides, async () => ({
    price_overrides: (await prices.list()).map((override) => showOverride(catalog, override)),
  }))

  const look: Handler<typeof previewOverride> = async ({ params, query }) => {
    const sold = findSold(catalog, params)
    const value = askedValue(sold, query) ?? sold.currentValue
    return showPreview(sold, value, await readKnownCosts(dependencies, sold))
  }
  const shown = {
    ...showsPrices,
    admit: (params: PriceRoute['Params']) => void findSold(catalog, params),
  }
  addRoute(admin, previewOverride, look, shown)

  const set: Handler<typeof setOverride> = async ({ request, params, body }, reply) => {
    const { confirm_below_cost, ...asked } = body
    const sold = findSold(catalog, params)
    const value = askedValue(sold, asked)
    if (value === undefined) throw wrongField(sold)
    const operation = { action: 'price.override', subject: sold.id }
    const shown = await operations.perform(request, reply, operation, async (client) => {
      const recent = await readKnownCosts(dependencies, sold)
      if (isBelowCost(sold, value, recent) && !confirm_below_cost)
        throw belowCost(sold, value, recent)
      await prices.set(sold.entry, toOverride(sold, value), client)
      return showPreview({ ...sold, currentValue: value }, value, recent)
    })
    await untilNoLongerTrusted()
    return shown
  }
  addRoute(admin, setOverride, set, shown)

  addRoute(admin, removeOverride, async ({ request, params }, reply) => {
    const id = idOf(params)
    const operation = { action: 'price.restore', subject: id }
    const removed = await operations.perform(request, reply, operation, async (client) => {
      if (!(await prices.remove(id, client)))
        throw fail('not_found', { message: `${id} has no price of your own to remove.` })
      return { action: id, removed: true }
    })
    await untilNoLongerTrusted()
    return removed
  })
}

const idOf = ({ service, action }: PriceRoute['Params']) => `${service}/${action}`

/** Throws `not_found`, and `bad_request` for an action whose price cannot be replaced. */
export function findSold(catalog: PricedCatalog, params: PriceRoute['Params']): SoldAction {
  const id = idOf(params)
  const entry = catalog.original.find(...splitId(id))
  if (entry === undefined)
    throw fail('not_found', {
      message: `There is no action ${id.slice(0, 100)}. GET /api/run lists all actions.`,
    })
  const sold = readSold(catalog, entry)
  if (sold !== undefined) return sold
  throw fail('bad_request', {
    message: `The price of ${id} cannot be replaced, because it is free, asked by a seller, set by the caller or the sum of other calls: ${describePrice(entry.action).text}.`,
  })
}

/**
 * What the request asks for, in the terms of this price. Undefined: it asks for nothing. Throws `bad_request` for the
 * other term.
 */
export function askedValue(
  sold: SoldAction,
  { price_usd, factor: times }: z.output<typeof previewQuery>,
): number | undefined {
  const [fitting, other] = sold.kind === 'factor' ? [times, price_usd] : [price_usd, times]
  if (other !== undefined) throw wrongField(sold)
  return fitting
}

export function wrongField({ id, kind, unit, entry }: SoldAction) {
  const price = `The price of ${id} is: ${describePrice(entry.action).text}.`
  return fail('bad_request', {
    message:
      kind === 'factor'
        ? `${price} Send factor, such as "1.25", by which all its amounts are multiplied.`
        : `${price} Send price_usd, the dollars for a ${unit ?? 'call'}, such as "0.025".`,
  })
}
