// Computes what the operator's price would have earned with the calls of the last days.
import { type CatalogEntry, splitId } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros, type Micros, microsToUsd } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import { priceInWords } from '#core/pricing/describe-price.ts'
import { confirmsLoss, lossSentence } from '#core/pricing/loss.ts'
import {
  amountOf,
  formatFactor,
  millionthsPerOne,
  type Override,
  type OverrideKind,
  overrideKindOf,
  replacePrice,
  scale,
} from '#core/pricing/override.ts'
import type { PricedCatalog } from '#core/pricing/priced-catalog.ts'
import { chargeForUnits, countsUnits } from '#core/pricing/units.ts'
import type { CostPerCall, Costs } from '#money/costs/costs.ts'
import type { ActionUsage, UnitUsage, UsageSums } from '#runner/history/usage.ts'
import type { GroupPrice } from '#runner/pricing/group-prices.ts'
import type { PriceOverride } from '#runner/pricing/price-overrides.ts'

const daysShown = 30
const dayMs = 86_400_000

/** What the calls of the last days have brought and cost, and what the operator has declared that a call costs. */
export interface KnownCosts extends ActionUsage {
  /** Absent where the price counts no units. */
  readonly byUnits?: readonly UnitUsage[] | undefined
  readonly declared: CostPerCall | undefined
}

/** Of calls at a price that holds from this time on. */
export async function readKnownCosts(
  { usage, costs, clock }: { usage: UsageSums; costs: Pick<Costs, 'declaredFor'>; clock: Clock },
  { id, entry }: SoldAction,
  startsAt = new Date(clock.now()),
): Promise<KnownCosts> {
  const from = new Date(clock.now() - daysShown * dayMs)
  const [recent, declared, byUnits] = await Promise.all([
    usage.ofAction(id, from),
    costs.declaredFor(id, startsAt),
    countsUnits(entry.action.price) ? usage.byUnits(id, from) : undefined,
  ])
  return { ...recent, declared, byUnits }
}

/** An action whose price can be replaced. A value is micro-dollars for a call or a unit, or millionths for a factor. */
export interface SoldAction {
  readonly id: string
  /** That of the catalog. */
  readonly entry: CatalogEntry
  readonly kind: OverrideKind
  /** The unit, in the singular. Absent where the price is not by unit. */
  readonly unit?: string
  readonly catalogValue: number
  readonly currentValue: number
}

/** Undefined for a price that cannot be replaced. */
export function readSold(catalog: PricedCatalog, entry: CatalogEntry): SoldAction | undefined {
  const { price } = entry.action
  const kind = overrideKindOf(price)
  if (kind === undefined) return undefined
  const catalogValue = amountOf(price) ?? millionthsPerOne
  const override = catalog.overrideOf(entry.id)
  const currentValue = override === undefined ? catalogValue : numberIn(override)
  const unit = typeof price === 'object' && 'unit' in price ? { unit: price.unit } : {}
  return { id: entry.id, entry, kind, ...unit, catalogValue, currentValue }
}

const numberIn = (override: Override) => ('factor' in override ? override.factor : override.micros)

export const toOverride = ({ kind }: SoldAction, value: number): Override =>
  kind === 'factor' ? { factor: value } : { micros: value }

/** The value at which the call with the largest cost of these days would have brought just this cost. */
function recordedValue(
  { kind, catalogValue, entry }: SoldAction,
  { worstCost, worstCostShare, byUnits = [] }: KnownCosts,
): number | null {
  if (kind === 'call') return worstCost
  const valueFor = (cost: number, charge: number) =>
    Number((BigInt(cost) * BigInt(catalogValue) + BigInt(charge - 1)) / BigInt(charge))
  const values = byUnits.flatMap(({ units, worstCost: cost }) => {
    const charge = units === null ? undefined : chargeForUnits(entry.action.price, units)
    return cost === null || !charge ? [] : [valueFor(cost, charge)]
  })
  if (values.length > 0) return Math.max(...values)
  return worstCostShare === null ? null : valueFor(worstCostShare, millionthsPerOne)
}

/** A factor multiplies amounts that differ from call to call, so a declared cost cannot be held against it. */
function declaredValue({ kind }: SoldAction, { declared }: KnownCosts): number | null {
  if (declared === undefined || kind === 'factor') return null
  return kind === 'call' ? declared.perCall : declared.perUnit
}

/** The least value that loses no money by the costs that are known. Null: no cost is known. */
function worstValue(sold: SoldAction, costs: KnownCosts): number | null {
  const known = [recordedValue(sold, costs), declaredValue(sold, costs)].filter(
    (value) => value !== null,
  )
  return known.length === 0 ? null : Math.max(...known)
}

export function isBelowCost(sold: SoldAction, value: number, costs: KnownCosts): boolean {
  const worst = worstValue(sold, costs)
  return worst !== null && value < worst
}

export function belowCost(sold: SoldAction, value: number, costs: KnownCosts) {
  const worst = worstValue(sold, costs) ?? 0
  const { kind, unit } = sold
  const each = unit ?? 'call'
  const sayKnown = () => {
    if (kind === 'factor')
      return `a call of the last ${daysShown} days has cost you as much as it would bring times ${formatFactor(worst)}`
    return declaredValue(sold, costs) === worst
      ? `you have declared that a ${each} costs you $${microsToUsd(worst)}`
      : `a ${each} of the last ${daysShown} days has cost you $${microsToUsd(worst)}`
  }
  return fail('bad_request', {
    message: lossSentence({
      paid:
        kind === 'factor'
          ? `the factor is ${formatFactor(value)}`
          : `callers pay $${microsToUsd(value)} for a ${each}`,
      cost: sayKnown(),
      otherwise: confirmsLoss,
    }),
    data: { ...showWorst(sold, worst) },
  })
}

const showWorst = ({ kind }: SoldAction, worst: number | null) => ({
  worst_cost_usd: worst === null || kind === 'factor' ? null : microsToUsd(worst),
  worst_cost_factor: worst === null || kind !== 'factor' ? null : formatFactor(worst),
})

export function showOverride(catalog: PricedCatalog, { action, override, setAt }: PriceOverride) {
  const own = catalog.original.find(...splitId(action))?.action
  const replaced = own && replacePrice(own.price, override)
  const amount = own && amountOf(own.price)
  return {
    action,
    ...showValue(override),
    price: own === undefined || replaced === undefined ? null : priceInWords(own, replaced),
    catalog_price_usd: amount === undefined ? null : microsToUsd(amount),
    catalog_price: own === undefined ? null : priceInWords(own),
    // An override outlives its action, which a later version may remove or sell by another form of price.
    applies: replaced !== undefined,
    set_at: setAt,
  }
}

export function showGroupPrice(catalog: PricedCatalog, group: GroupPrice) {
  const { action, override, startsAt, setAt, state } = group
  const own = catalog.original.find(...splitId(action))?.action
  const replaced = own && override && replacePrice(own.price, override)
  return {
    action,
    state,
    starts_at: startsAt,
    ...(override === undefined ? { price_usd: null, factor: null } : showValue(override)),
    price: own === undefined || replaced === undefined ? null : priceInWords(own, replaced),
    is_general: override === undefined,
    set_at: setAt,
  }
}

const showValue = (override: Override) => ({
  price_usd: 'factor' in override ? null : microsToUsd(override.micros),
  factor: 'factor' in override ? formatFactor(override.factor) : null,
})

/**
 * What the calls that were charged would have brought. Their units say it also after the price of the catalog has
 * changed. Of a price without units, only what they would have been charged in the catalog of their time is known.
 */
function chargedAt(
  sold: SoldAction,
  value: number,
  { chargedCalls, chargedAtCatalog, byUnits }: KnownCosts,
): Micros {
  if (sold.kind === 'call') return chargedCalls * value
  const price = replacePrice(sold.entry.action.price, toOverride(sold, value))
  const charges = byUnits?.map(({ units, calls }) => {
    const each = units === null || price === undefined ? undefined : chargeForUnits(price, units)
    return each === undefined ? undefined : each * calls
  })
  if (charges === undefined || charges.includes(undefined))
    return scale(chargedAtCatalog, value, sold.catalogValue)
  return charges.reduce<number>((sum, each = 0) => sum + each, 0)
}

/** What the calls of the last days have earned, and what the same calls would have earned at this price. */
export function showPreview(sold: SoldAction, value: number, recent: KnownCosts) {
  const { id, entry, kind, unit, catalogValue, currentValue } = sold
  const { calls, chargedCalls, charged, cost, callsWithKnownCost } = recent
  const chargedAtPrice = chargedAt(sold, value, recent)
  const worst = worstValue(sold, recent)
  const { action } = entry
  const textAt = (each: number) =>
    priceInWords(action, replacePrice(action.price, toOverride(sold, each)))
  const usdOf = (each: number) => (kind === 'factor' ? null : microsToUsd(each))
  return {
    action: id,
    kind,
    unit: unit ?? null,
    ...showValue(toOverride(sold, value)),
    current_price_usd: usdOf(currentValue),
    current_factor: kind === 'factor' ? formatFactor(currentValue) : null,
    catalog_price_usd: usdOf(catalogValue),
    price: textAt(value),
    current_price: currentValue === catalogValue ? priceInWords(action) : textAt(currentValue),
    catalog_price: priceInWords(action),
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
    ...showWorst(sold, worst),
    price_less_worst_cost_usd: worst === null ? null : usdOf(value - worst),
    is_below_worst_cost: isBelowCost(sold, value, recent),
    ...showInnerSpend(sold, value),
  }
}

/** An action whose flat price includes other calls may spend as much on them after its price was lowered. */
function showInnerSpend({ kind, entry }: SoldAction, value: number) {
  const { spendsUpToCents } = entry.action
  const most = spendsUpToCents === undefined ? null : centsToMicros(spendsUpToCents)
  return {
    inner_spend_max_usd: most === null ? null : microsToUsd(most),
    is_below_inner_spend: most !== null && kind === 'call' && value < most,
  }
}
