// How many units a call has delivered, where its price is by unit.
import type { AnyPrice, UnitPrice } from '../price.ts'

// biome-ignore lint/suspicious/noExplicitAny: see AnyPrice.
type Any = any

/** Undefined for a price that is not by unit. */
export function unitsOf(price: AnyPrice, input: unknown, output: unknown): number | undefined {
  if (typeof price !== 'object' || !('per' in price)) return undefined
  const { per, used } = price as UnitPrice<Any, Any>
  const units = used === undefined ? per(input) : used(output)
  return Math.max(0, Math.round(units))
}
