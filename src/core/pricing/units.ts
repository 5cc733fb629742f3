// How many units a call has delivered, where its price counts them. A cost per unit is times these.
import { centsToMicros, type Micros } from '../money.ts'
import { type AnyPrice, type FixedPrice, type UnitPrice, unitsToMicros } from '../price.ts'

/** A price that counts units, although its amount is not a multiple of them. */
export interface Counted<Input, Output> {
  /** How many a call has delivered, whether or not they are charged. */
  units?(call: { readonly input: Input; readonly output: Output }): number
  /** What a call is charged that is charged for so many units. */
  readonly centsForUnits?: (units: number) => number
}

/** Vendors may state any number. Times the highest cost of a unit, this many still fit into the books. */
const unitsMax = 100_000_000

export const countsUnits = (price: AnyPrice): boolean =>
  typeof price === 'object' && ('per' in price || 'units' in price)

/**
 * Undefined for a price that counts none. An answer may claim any number, and counts no more than what the price has
 * quoted.
 */
export function unitsOf(price: AnyPrice, input: unknown, output: unknown): number | undefined {
  if (!countsUnits(price)) return undefined
  const { per, used, units } = price as UnitPrice<unknown, unknown>
  const counted =
    units?.({ input, output }) ?? Math.min(per(input), used?.(output) ?? Number.POSITIVE_INFINITY)
  return Math.min(unitsMax, Math.max(0, Math.round(counted)))
}

/** What a call that was charged for so many units would be charged at this price. Undefined: they do not decide it. */
export function chargeForUnits(price: AnyPrice, units: number): Micros | undefined {
  if (typeof price !== 'object') return undefined
  if ('per' in price) return unitsToMicros(price, units)
  const { centsForUnits } = price as Counted<unknown, unknown>
  return centsForUnits && centsToMicros(centsForUnits(units))
}

/** What a call costs that is given away: nothing, though it delivers what the price counts. */
export const waive = (price: AnyPrice): FixedPrice<unknown> => ({
  cents: 0,
  ...(countsUnits(price) && {
    units: ({ input, output }) => unitsOf(price, input, output) ?? 0,
  }),
})
