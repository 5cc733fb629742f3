// /api/v1/admin/price-overrides: flat prices of the operator's own, in place of those of the catalog.
import type { FastifyInstance } from 'fastify'
import { untilNoLongerTrusted } from '#accounts/keys/authentication.ts'
import { z } from '#core/action.ts'
import { type CatalogEntry, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros, microsToUsd, parseUsd } from '#core/money.ts'
import { describePrice } from '#core/price.ts'
import { flatPriceOf, type PricedCatalog } from '#core/pricing/priced-catalog.ts'
import type { ActionUsage, UsageSums } from '#runner/history/usage.ts'
import type { PriceOverride, PriceOverrides } from '#runner/pricing/price-overrides.ts'
import { readInput } from '../input.ts'
import { showsPrices } from '../server.ts'
import type { Operations } from './operations.ts'

/** A thousand dollars. */
const priceMicrosMax = centsToMicros(100_000)
const dayMs = 86_400_000
const daysShown = 30

/** Exact dollars: `0.025`. */
const priceUsd = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,6})?$/, 'must be dollars with at most six places, such as 0.025')
  .transform(parseUsd)
  .refine((micros) => micros > 0 && micros <= priceMicrosMax, 'must be above 0 and at most 1000')

export const previewQuery = z.strictObject({ price_usd: priceUsd.optional() })

export const newOverride = z.strictObject({
  price_usd: priceUsd,
  /** The operator knows that calls may cost more than this price. */
  confirm_below_cost: z.boolean().default(false),
})

interface PriceRoute {
  Params: { service: string; action: string }
}

/** An action with a flat price. */
interface FlatAction {
  readonly id: string
  readonly catalogMicros: Micros
  readonly currentMicros: Micros
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
  const recentUsage = ({ id }: FlatAction) =>
    usage.ofAction(id, new Date(Date.now() - daysShown * dayMs))

  admin.get(at, async () => ({
    price_overrides: (await prices.list()).map((override) => showOverride(catalog, override)),
  }))

  admin.get<PriceRoute>(route, showsPrices, async ({ params, query }) => {
    const action = findFlat(catalog, params)
    const { price_usd: micros = action.currentMicros } = readInput(previewQuery, query)
    return showPreview(action, micros, await recentUsage(action))
  })

  admin.put<PriceRoute>(route, showsPrices, async (request, reply) => {
    const { price_usd: micros, confirm_below_cost } = readInput(newOverride, request.body)
    const action = findFlat(catalog, request.params)
    const operation = { action: 'price.override', subject: action.id }
    const shown = await operations.perform(request, reply, operation, async (client) => {
      const recent = await recentUsage(action)
      if (isBelowCost(micros, recent) && !confirm_below_cost) throw belowCost(micros, recent)
      await prices.set(action.id, micros, client)
      return showPreview({ ...action, currentMicros: micros }, micros, recent)
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

/** Throws `not_found`, and `bad_request` for an action whose price is not the same for every call. */
function findFlat(catalog: PricedCatalog, params: PriceRoute['Params']): FlatAction {
  const id = idOf(params)
  const original = catalog.original.find(...splitId(id))
  if (original === undefined)
    throw fail('not_found', {
      message: `There is no action ${id.slice(0, 100)}. GET /api/run lists all actions.`,
    })
  const catalogMicros = flatPriceOf(original.action.price)
  if (catalogMicros === undefined) throw notFlat(original)
  const current = catalog.find(...splitId(id)) ?? original
  return { id, catalogMicros, currentMicros: flatPriceOf(current.action.price) ?? catalogMicros }
}

const notFlat = ({ id, action }: CatalogEntry) =>
  fail('bad_request', {
    message: `Only a flat price can be replaced, one that is the same for every call. The price of ${id} is: ${describePrice(action.price).text}.`,
  })

const isBelowCost = (micros: Micros, { worstCost }: ActionUsage) =>
  worstCost !== null && micros < worstCost

const belowCost = (micros: Micros, { worstCost }: ActionUsage) =>
  fail('bad_request', {
    message: `At $${microsToUsd(micros)} you would lose money: a call of the last ${daysShown} days has cost you $${microsToUsd(worstCost ?? 0)}. Raise the price, or send confirm_below_cost: true to set it all the same.`,
    data: { worst_cost_usd: microsToUsd(worstCost ?? 0) },
  })

function showOverride(catalog: PricedCatalog, { action, micros, setAt }: PriceOverride) {
  const original = catalog.original.find(...splitId(action))
  const catalogMicros = original && flatPriceOf(original.action.price)
  return {
    action,
    price_usd: microsToUsd(micros),
    catalog_price_usd: catalogMicros === undefined ? null : microsToUsd(catalogMicros),
    // An override outlives its action, which a later version may remove or sell by another form of price.
    applies: catalogMicros !== undefined,
    set_at: setAt,
  }
}

/** What the calls of the last days have earned, and what the same calls would have earned at this price. */
function showPreview(action: FlatAction, micros: Micros, recent: ActionUsage) {
  const { calls, chargedCalls, charged, cost, callsWithKnownCost, worstCost } = recent
  const chargedAtPrice = chargedCalls * micros
  return {
    action: action.id,
    price_usd: microsToUsd(micros),
    current_price_usd: microsToUsd(action.currentMicros),
    catalog_price_usd: microsToUsd(action.catalogMicros),
    last_30_days: {
      calls,
      charged_calls: chargedCalls,
      calls_with_known_cost: callsWithKnownCost,
      charged_usd: microsToUsd(charged),
      known_cost_usd: microsToUsd(cost),
      charged_less_known_cost_usd: microsToUsd(charged - cost),
    },
    at_this_price: {
      charged_usd: microsToUsd(chargedAtPrice),
      charged_less_known_cost_usd: microsToUsd(chargedAtPrice - cost),
    },
    worst_cost_usd: worstCost === null ? null : microsToUsd(worstCost),
    price_less_worst_cost_usd: worstCost === null ? null : microsToUsd(micros - worstCost),
    is_below_worst_cost: isBelowCost(micros, recent),
  }
}
