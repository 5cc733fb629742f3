// What use costs, and how long an amount lasts. Pure; all amounts are whole micro-dollars and whole seconds.
import type { Micros } from '#core/money.ts'
import type { Usage } from '#core/session.ts'

/** Micro-dollars for an hour of each meter: `{ vcpu: 50_000 }` is 5¢ per vCPU-hour. */
export type Tariff = Readonly<Record<string, Micros>>

const secondsPerHour = 3_600

/**
 * The price of this use. It is rounded down once, over all meters, so that only whole micro-dollars that were used are
 * charged.
 */
export function priceOfUse(tariff: Tariff, used: Usage): Micros {
  return Math.floor(hourlyMicrosTimesSeconds(tariff, used) / secondsPerHour)
}

/**
 * How many more whole seconds at this pace cost at most `paidMicros`, all use so far included. Infinity where it costs
 * nothing.
 */
export function secondsLeft(
  tariff: Tariff,
  { used, perSecond, paidMicros }: { used: Usage; perSecond: Usage; paidMicros: Micros },
): number {
  // A box of half a gigabyte adds half a second of its meter each second. The pace is never taken for slower than it
  // is.
  const pace = Math.ceil(sumOf(tariff, perSecond))
  if (pace === 0) return Number.POSITIVE_INFINITY
  const reached = hourlyMicrosTimesSeconds(tariff, used)
  // The price is rounded down, so the amount lasts until the next whole micro-dollar would be reached.
  return Math.max(0, Math.ceil((secondsPerHour * (paidMicros + 1) - reached) / pace) - 1)
}

/** Use after some whole seconds at this pace. */
export function useAfter(used: Usage, perSecond: Usage, seconds: number): Usage {
  return addUse(
    used,
    Object.fromEntries(Object.entries(perSecond).map(([meter, each]) => [meter, each * seconds])),
  )
}

export function addUse(one: Usage, other: Usage): Usage {
  const meters = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries(
    [...meters].map((meter) => [meter, (one[meter] ?? 0) + (other[meter] ?? 0)]),
  )
}

/** The larger figure of each meter, in whole seconds. */
export function latestUse(earlier: Usage, later: Usage): Usage {
  const meters = new Set([...Object.keys(earlier), ...Object.keys(later)])
  return Object.fromEntries(
    [...meters].map((meter) => [
      meter,
      Math.max(earlier[meter] ?? 0, Math.floor(later[meter] ?? 0)),
    ]),
  )
}

/** A meter without a price is free. */
const sumOf = (tariff: Tariff, use: Usage): number =>
  Object.entries(tariff).reduce((total, [meter, micros]) => total + micros * (use[meter] ?? 0), 0)

function hourlyMicrosTimesSeconds(tariff: Tariff, use: Usage): number {
  const sum = sumOf(tariff, use)
  if (!Number.isSafeInteger(sum) || sum < 0)
    throw new RangeError('A meter must count whole seconds, and few enough to be counted exactly.')
  return sum
}
