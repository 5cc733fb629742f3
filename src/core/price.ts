// A price is data that the catalog prints, plus at most two small functions that count.
import { type CallError, fail } from './errors.ts'
import { membersOf } from './input/members.ts'
import { centsToMicros, formatCents, type Micros, microsToCents, microsToUsd } from './money.ts'
import type { Counted } from './pricing/units.ts'

/** The price of calls with these parameters: `{ when: { lite_enrich: true }, cents: 30 }`. */
export interface PriceVariant {
  readonly when: Readonly<Record<string, string | boolean>>
  readonly cents: number
}

/** One price for every call. `used` counts what was delivered: 0 makes a miss free. */
export interface FixedPrice<Output> extends Counted<never, Output> {
  readonly cents: number
  /** The first one that matches the input replaces `cents`. */
  readonly variants?: readonly PriceVariant[]
  used?(output: Output): number
  /** When `used` makes a call free, as a part of a sentence. Default: on a miss. */
  readonly freeWhen?: string
  /** The call must set `max_cost_cents`, although its price is exact. */
  readonly ceilingRequired?: true
}

/** A price per unit in the input. With `used`, the delivered units are charged, but never more than were quoted. */
export interface UnitPrice<Input, Output> extends Counted<Input, Output> {
  readonly cents: number
  per(input: Input): number
  /** The unit, in the singular: `URL`. */
  readonly unit: string
  /** The most units that the input schema allows; with `atLeast` (default 1) it bounds the published range. */
  readonly atMost: number
  readonly atLeast?: number
  /** The total is rounded up to whole cents. */
  readonly wholeCents?: true
  used?(output: Output): number
  /** `used` counts either all units or none. */
  readonly freeOnMiss?: true
}

/** An exact price that the input decides and that is not a multiple of one unit. */
export interface ComputedPrice<Input> extends Counted<Input, unknown> {
  centsFor(input: Input): number
  /** The bounds of the published range. */
  readonly fromCents: number
  readonly atMostCents: number
  /** How the price is formed: `20¢ per page`. */
  readonly basis: string
}

interface CapOf<Input> {
  cap(input: Input, ceilingCents: number): number
}

/** A cap is held, and the real cost of the call is charged. */
export interface CappedPrice<Input, Output> extends Counted<Input, Output> {
  /** `ceilingCents`: of the caller, or Infinity. A cap above it is refused. */
  readonly upToCents: number | CapOf<Input>['cap']
  /** The highest possible cap. Required if `upToCents` is a function. */
  readonly atMostCents?: number
  /** The least that an answer costs. Default: nothing. */
  readonly leastCents?: number
  /** Some answers cost nothing all the same. */
  readonly freeOnMiss?: true
  /** What most calls are charged. */
  readonly usuallyCents?: number
  /** How the charge is formed: `2¢ per row`. */
  readonly basis?: string
  /** The caller sets the cap, and the answer states what was spent of it. */
  readonly isBudget?: true
  settle(call: { readonly input: Input; readonly output: Output }): number
}

/** A purchase at the seller's price: the caller's ceiling is held, and what the seller took is charged. */
export interface PurchasePrice<Input, Output> {
  readonly upToCents: 'maxCost'
  /** The least that a purchase costs. A lower ceiling is refused. */
  readonly fromCents: number
  /** The most that one purchase can cost. A higher ceiling holds only this much. */
  readonly atMostCents: number
  /** How the price is formed: `20¢ per page`. */
  readonly basis: string
  settle(call: { readonly input: Input; readonly output: Output }): number
}

/**
 * The price of a session: its use, to the second. An amount is held ahead of the use, and the hold is extended while it
 * runs.
 */
export interface MeteredPrice {
  /** For an hour of each meter: `{ vcpu: 5 }`. */
  readonly perHourCents: Readonly<Record<string, number>>
  /** What is held ahead of the use. */
  readonly reserveCents: number
  /**
   * The most that one call can cost. A session that stays open for longer than a day is charged as one call after
   * another.
   */
  readonly atMostCents: number
  /** How the price is formed: `5¢ per vCPU-hour`. */
  readonly basis: string
}

/** What the parts of a call cost if each delivers all that it asks for. */
export interface PartsCost extends PriceRange {
  /** Every part has an exact price, so `min` is `max`. */
  readonly isExact: boolean
  /** What they cost if each delivers as little as it can. Default: `min`. */
  readonly least?: Micros
}

/**
 * The sum of the prices of other actions. The call must set `max_cost_cents`: what its parts can cost is held, up to
 * this ceiling, and what they did cost is charged.
 */
export interface SumPrice<Input, Output> {
  sumOf(input: Input): PartsCost
  /** The most that is held. */
  readonly atMostCents: number
  /** Says how the price is formed: `the sum of its calls`. */
  readonly basis: string
  settle(call: { readonly input: Input; readonly output: Output }): number
}

export type Price<Input, Output> =
  | 'free'
  | MeteredPrice
  | FixedPrice<Output>
  | UnitPrice<Input, Output>
  | ComputedPrice<Input>
  | CappedPrice<Input, Output>
  | PurchasePrice<Input, Output>
  | SumPrice<Input, Output>

/** Its functions are methods, so that they may take `unknown`: the runner passes what the schemas have accepted. */
export type AnyPrice = Price<unknown, unknown>

export interface Quote {
  /** `exact`: charged on success, or less if less was delivered. `cap`: the most that can be charged. */
  readonly kind: 'exact' | 'cap'
  readonly micros: Micros
}

export type AnyPurchasePrice = PurchasePrice<unknown, unknown>

export const isPurchase = (price: AnyPrice): price is AnyPurchasePrice =>
  typeof price === 'object' && 'upToCents' in price && price.upToCents === 'maxCost'

export const isMetered = (price: AnyPrice): price is MeteredPrice =>
  typeof price === 'object' && 'perHourCents' in price

export const isSum = (price: AnyPrice): price is SumPrice<unknown, unknown> =>
  typeof price === 'object' && 'sumOf' in price

/** Whether the caller's ceiling decides what is held, because only the call shows its price. */
export const isOpen = (price: AnyPrice): boolean => isPurchase(price) || isSum(price)

/** Whether a call must set `max_cost_cents`. */
export const needsCeiling = (price: AnyPrice): boolean =>
  isOpen(price) || (typeof price === 'object' && 'ceilingRequired' in price)

/** The least and the most that a call with this input can cost, regardless of its ceiling. */
export interface PriceRange {
  readonly min: Micros
  readonly max: Micros
}

export function priceRange(price: AnyPrice, input: unknown): PriceRange {
  if (isPurchase(price))
    return { min: centsToMicros(price.fromCents), max: centsToMicros(price.atMostCents) }
  if (isSum(price)) {
    const { min, max, least = min } = price.sumOf(input)
    return { min: least, max }
  }
  if (isMetered(price)) return { min: 0, max: centsToMicros(price.atMostCents) }
  const { kind, micros } = quoteBeforeCeiling(price, input)
  if (typeof price === 'object' && 'upToCents' in price)
    return { min: Math.min(leastOf(price), micros), max: micros }
  const isCertain = kind === 'exact' && !(typeof price === 'object' && 'used' in price)
  return { min: isCertain ? micros : 0, max: micros }
}

/** What a call would cost. `maxCostMicros` is the caller's ceiling. Throws `max_cost_required`, `max_cost_exceeded`. */
export function quotePrice(price: AnyPrice, input: unknown, maxCostMicros?: Micros): Quote {
  if (needsCeiling(price) && maxCostMicros === undefined) throw fail('max_cost_required')
  if (isPurchase(price)) return quotePurchase(price, maxCostMicros ?? 0)
  if (isMetered(price)) return quoteReserve(price, maxCostMicros)
  if (isSum(price)) return quoteSum(price, input, maxCostMicros ?? 0)
  const quote = quoteBeforeCeiling(price, input, maxCostMicros)
  if (maxCostMicros !== undefined && quote.micros > maxCostMicros)
    throw aboveCeiling(quote.micros, maxCostMicros, quote.kind === 'cap' ? 'up to ' : '')
  return quote
}

/** A session with a ceiling below its reserve runs until the ceiling is used up. */
function quoteReserve({ reserveCents }: MeteredPrice, ceiling = Number.POSITIVE_INFINITY): Quote {
  if (ceiling === 0) throw aboveCeiling(centsToMicros(reserveCents), ceiling, 'up to ')
  return { kind: 'cap', micros: Math.min(centsToMicros(reserveCents), ceiling) }
}

/**
 * What a wallet pays before its session opens: its ceiling, or what is held ahead of the use. What is left comes back.
 */
export function quotePrepaid(price: MeteredPrice, maxCostMicros?: Micros): Quote {
  const quote = quoteReserve(price, maxCostMicros)
  return { ...quote, micros: maxCostMicros ?? quote.micros }
}

function quotePurchase(price: AnyPurchasePrice, ceiling: Micros): Quote {
  const { min, max } = priceRange(price, undefined)
  if (ceiling < min) throw aboveCeiling(min, ceiling, 'at least ')
  return { kind: 'cap', micros: Math.min(ceiling, max) }
}

/** Parts with open prices may end at the ceiling. Parts that are known to cost more are refused before they run. */
function quoteSum(
  { sumOf, atMostCents }: SumPrice<unknown, never>,
  input: unknown,
  ceiling: Micros,
): Quote {
  const { min, max, isExact } = sumOf(input)
  if (min > ceiling) throw aboveCeiling(min, ceiling, isExact ? '' : 'at least ')
  const atMost = centsToMicros(atMostCents)
  if (min > atMost)
    throw fail('bad_request', {
      message: `The parts cost ${isExact ? '' : 'at least '}${formatCents(min)} together, and one call may cost at most ${formatCents(atMost)}. Send them as several calls.`,
    })
  return isExact
    ? { kind: 'exact', micros: max }
    : { kind: 'cap', micros: Math.min(ceiling, max, atMost) }
}

/** Returns the highest cap of any call. */
export function capBound(price: CappedPrice<never, never> | AnyPurchasePrice): Micros {
  const cents = typeof price.upToCents === 'number' ? price.upToCents : price.atMostCents
  if (cents === undefined) throw new TypeError('A computed cap needs atMostCents.')
  return centsToMicros(cents)
}

/** The least that any call is charged. */
export function leastOf({ leastCents = 0, freeOnMiss }: CappedPrice<never, never>): Micros {
  return freeOnMiss ? 0 : centsToMicros(leastCents)
}

/** The refusal of a call that costs more than its caller allows. */
export function aboveCeiling(
  micros: Micros,
  ceiling: Micros,
  degree: '' | 'up to ' | 'at least ',
): CallError {
  return fail('max_cost_exceeded', {
    message: `This call costs ${degree}${formatCents(micros)}, above your max_cost_cents of ${microsToCents(ceiling, 'down')}. Raise the ceiling to go ahead.`,
    data: { price_cents: microsToCents(micros, 'up'), price_usd: microsToUsd(micros) },
  })
}

type OwnPrice = Exclude<AnyPrice, AnyPurchasePrice | SumPrice<unknown, unknown> | MeteredPrice>

function quoteBeforeCeiling(
  price: OwnPrice,
  input: unknown,
  ceiling: Micros = Number.POSITIVE_INFINITY,
): Quote {
  if (price === 'free') return { kind: 'exact', micros: 0 }
  if ('upToCents' in price) {
    const { upToCents } = price
    const cents =
      typeof upToCents === 'function' ? upToCents(input, ceiling / centsToMicros(1)) : upToCents
    return { kind: 'cap', micros: centsToMicros(cents) }
  }
  if ('centsFor' in price) return { kind: 'exact', micros: centsToMicros(price.centsFor(input)) }
  if (!('per' in price)) return { kind: 'exact', micros: centsToMicros(centsFor(price, input)) }
  return { kind: 'exact', micros: unitsToMicros(price, price.per(input)) }
}

function centsFor({ cents, variants = [] }: FixedPrice<never>, input: unknown): number {
  const fields = membersOf(input)
  const fitting = variants.find(({ when }) =>
    Object.entries(when).every(([name, value]) => fields[name] === value),
  )
  return fitting?.cents ?? cents
}

/** The charge of a finished call: for what was delivered, and never more than the quote. */
export function settlePrice(
  price: AnyPrice,
  quote: Quote,
  input: unknown,
  output: unknown,
): Micros {
  if (price === 'free') return 0
  if (isMetered(price)) throw new TypeError('A session is charged by its meter.')
  if ('upToCents' in price || isSum(price))
    return Math.min(quote.micros, centsToMicros(price.settle({ input, output })))
  if ('centsFor' in price || price.used === undefined) return quote.micros
  const used = price.used(output)
  if ('per' in price) return Math.min(quote.micros, unitsToMicros(price, used))
  // The price of the quote, which may have changed since.
  return Math.min(quote.micros, Math.round(quote.micros * used))
}

export function unitsToMicros(
  price: { readonly cents: number; readonly wholeCents?: true },
  units: number,
): Micros {
  const micros = centsToMicros(price.cents * units)
  return price.wholeCents ? centsToMicros(microsToCents(micros, 'up')) : micros
}
