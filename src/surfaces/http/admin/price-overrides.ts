// /api/v1/admin/price-overrides: prices of the operator's own, in place of those of the catalog.
import type { FastifyInstance } from 'fastify'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import { z } from '#core/action.ts'
import { splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, parseUsd } from '#core/money.ts'
import { describePrice } from '#core/price.ts'
import { type Millionths, millionthsPerOne, parseFactor } from '#core/pricing/override.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { UsageSums } from '#runner/history/usage.ts'
import type { PriceOverrides } from '#runner/pricing/price-overrides.ts'
import { readInput } from '../input.ts'
import { showsPrices } from '../server.ts'
import type { Operations } from './operations.ts'
import {
  belowCost,
  daysShown,
  isBelowCost,
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
const dayMs = 86_400_000

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

export const newOverride = previewQuery.extend({
  /** The operator knows that calls may cost more than they bring at this price. */
  confirm_below_cost: z.boolean().default(false),
})

interface PriceRoute {
  Params: { service: string; action: string }
}

export interface PriceRoutesDependencies {
  prices: PriceOverrides
  usage: UsageSums
}

export function addPriceOverrideRoutes(
  admin: FastifyInstance,
  prefix: string,
  { prices, usage, operations }: PriceRoutesDependencies & { operations: Operations },
) {
  const { catalog } = prices
  const at = `${prefix}/price-overrides`
  const route = `${at}/:service/:action`
  const recentUsage = ({ id }: SoldAction) =>
    usage.ofAction(id, new Date(Date.now() - daysShown * dayMs))

  admin.get(at, async () => ({
    price_overrides: (await prices.list()).map((override) => showOverride(catalog, override)),
  }))

  admin.get<PriceRoute>(route, showsPrices, async ({ params, query }) => {
    const sold = findSold(catalog, params)
    const value = askedValue(sold, readInput(previewQuery, query)) ?? sold.currentValue
    return showPreview(sold, value, await recentUsage(sold))
  })

  admin.put<PriceRoute>(route, showsPrices, async (request, reply) => {
    const { confirm_below_cost, ...asked } = readInput(newOverride, request.body)
    const sold = findSold(catalog, request.params)
    const value = askedValue(sold, asked)
    if (value === undefined) throw wrongField(sold)
    const operation = { action: 'price.override', subject: sold.id }
    const shown = await operations.perform(request, reply, operation, async (client) => {
      const recent = await recentUsage(sold)
      if (isBelowCost(sold, value, recent) && !confirm_below_cost)
        throw belowCost(sold, value, recent)
      await prices.set(sold.entry, toOverride(sold, value), client)
      return showPreview({ ...sold, currentValue: value }, value, recent)
    })
    await untilNoLongerTrusted()
    return shown
  })

  admin.delete<PriceRoute>(route, async (request, reply) => {
    const id = idOf(request.params)
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
function findSold(catalog: PricedCatalog, params: PriceRoute['Params']): SoldAction {
  const id = idOf(params)
  const entry = catalog.original.find(...splitId(id))
  if (entry === undefined)
    throw fail('not_found', {
      message: `There is no action ${id.slice(0, 100)}. GET /api/run lists all actions.`,
    })
  const sold = readSold(catalog, entry)
  if (sold !== undefined) return sold
  throw fail('bad_request', {
    message: `The price of ${id} cannot be replaced, because it is free, asked by a seller, set by the caller or the sum of other calls: ${describePrice(entry.action.price).text}.`,
  })
}

/**
 * What the request asks for, in the terms of this price. Undefined: it asks for nothing. Throws `bad_request` for the
 * other term.
 */
function askedValue(
  sold: SoldAction,
  { price_usd, factor: times }: z.output<typeof previewQuery>,
): number | undefined {
  const [fitting, other] = sold.kind === 'factor' ? [times, price_usd] : [price_usd, times]
  if (other !== undefined) throw wrongField(sold)
  return fitting
}

function wrongField({ id, kind, unit, entry }: SoldAction) {
  const price = `The price of ${id} is: ${describePrice(entry.action.price).text}.`
  return fail('bad_request', {
    message:
      kind === 'factor'
        ? `${price} Send factor, such as "1.25", by which all its amounts are multiplied.`
        : `${price} Send price_usd, the dollars for a ${unit ?? 'call'}, such as "0.025".`,
  })
}
