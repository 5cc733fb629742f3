// `max_cost_cents`, the ceiling that every body may carry.
import { fail } from './errors.ts'
import { centsToMicros, type Micros } from './money.ts'

export const ceilingField = 'max_cost_cents'

/** A million dollars. */
export const ceilingCentsMax = 100_000_000

/** Reads the caller's ceiling. Throws `bad_request`, or the error that `refuse` makes of the message. */
export function readCeiling(
  ceiling: unknown,
  refuse = (message: string): Error => fail('bad_request', { message }),
): Micros | undefined {
  if (ceiling === undefined) return undefined
  const isAmount = typeof ceiling === 'number' && Number.isInteger(ceiling)
  if (!isAmount || ceiling < 0 || ceiling > ceilingCentsMax)
    throw refuse(`${ceilingField} must be a whole number of cents, from 0 to ${ceilingCentsMax}.`)
  return centsToMicros(ceiling)
}
