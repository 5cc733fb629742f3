// The bounds of a price whose parameters are not all known yet.
import { centsToMicros } from '../money.ts'
import {
  type AnyPrice,
  capBound,
  isMetered,
  isPurchase,
  isSum,
  leastOf,
  type PriceRange,
  unitsToMicros,
} from '../price.ts'

/**
 * The least and the most that a call costs which delivers all that it asks for. `open` names the parameters whose
 * values are not known yet.
 */
export function priceBounds(
  price: AnyPrice,
  input: Readonly<Record<string, unknown>>,
  open: ReadonlySet<string>,
): PriceRange {
  if (price === 'free') return { min: 0, max: 0 }
  if (isMetered(price) || isSum(price))
    throw new TypeError('A price without an upper bound cannot be part of a sum.')
  if ('centsFor' in price)
    return { min: centsToMicros(price.fromCents), max: centsToMicros(price.atMostCents) }
  if (isPurchase(price)) return { min: 0, max: capBound(price) }
  if ('upToCents' in price) return { min: leastOf(price), max: capBound(price) }
  if ('per' in price)
    return {
      min: unitsToMicros(price, price.atLeast ?? 1),
      max: unitsToMicros(price, price.atMost),
    }
  const { cents, variants = [] } = price
  const known = variants.find(({ when }) =>
    Object.entries(when).every(([name, value]) => !open.has(name) && input[name] === value),
  )
  const possible = variants.filter(({ when }) =>
    Object.entries(when).every(([name, value]) => open.has(name) || input[name] === value),
  )
  const all = known ? [known.cents] : [cents, ...possible.map((variant) => variant.cents)]
  return { min: centsToMicros(Math.min(...all)), max: centsToMicros(Math.max(...all)) }
}
