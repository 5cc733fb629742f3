// Amounts are integers in micro-dollars everywhere inside the gateway; this file is the only one that rounds or formats
// them.

/** An amount in micro-dollars: 1 cent is 10 000, 1 dollar is 1 000 000. Always a safe integer. */
export type Micros = number

const MICROS_PER_CENT = 10_000
const MICROS_PER_DOLLAR = 1_000_000

/** Cents (fractions allowed, as in 0.1) to micro-dollars. Throws RangeError for anything but an amount. */
export function centsToMicros(cents: number): Micros {
  const micros = Math.round(cents * MICROS_PER_CENT)
  if (!Number.isSafeInteger(micros) || micros < 0)
    throw new RangeError(`${cents} is not an amount in cents.`)
  return micros
}

/** Dollars with fractions, as vendors report their cost, to micro-dollars, rounded up. */
export function usdToMicros(usd: number): Micros {
  const micros = Math.ceil(Number((usd * MICROS_PER_DOLLAR).toFixed(3)))
  if (!Number.isSafeInteger(micros) || micros < 0)
    throw new RangeError(`${usd} is not an amount in dollars.`)
  return micros
}

/** Micro-dollars to whole cents: a charge is rounded up, a balance down. */
export function microsToCents(micros: Micros, direction: 'up' | 'down'): number {
  const cents = micros / MICROS_PER_CENT
  return direction === 'up' ? Math.ceil(cents) : Math.floor(cents)
}

/**
 * An amount in equal parts that sum to it: those that come first are larger by one micro-dollar where it does not
 * divide.
 */
export function splitMicros(micros: Micros, parts: number): readonly Micros[] {
  const least = Math.floor(micros / parts)
  const larger = micros - least * parts
  return Array.from({ length: parts }, (_, index) => (index < larger ? least + 1 : least))
}

/**
 * The parts of one charge in whole cents that sum to the charge rounded up: each part is rounded down, and the missing
 * cents go to the parts that lost most, the earlier ones first. A part in whole cents keeps its amount.
 */
export function partsToCents(parts: readonly Micros[]): readonly number[] {
  const cents = parts.map((micros) => microsToCents(micros, 'down'))
  const lost = parts.map((micros, index) => micros - centsToMicros(cents[index] ?? 0))
  const missing = microsToCents(sumOf(lost), 'up')
  const rounded = [...lost.keys()].sort((one, other) => (lost[other] ?? 0) - (lost[one] ?? 0))
  const raised = new Set(rounded.slice(0, missing))
  return cents.map((each, index) => (raised.has(index) ? each + 1 : each))
}

export function sumOf(amounts: readonly Micros[]): Micros {
  return amounts.reduce((sum, micros) => sum + micros, 0)
}

/** The exact amount as a decimal string with six places: `0.020000`. */
export function microsToUsd(micros: Micros): string {
  const digits = String(Math.abs(micros)).padStart(7, '0')
  return `${micros < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`
}

/** `2¢`, with fractions as in `0.25¢`. */
export function formatCents(micros: Micros): string {
  return `${Number((micros / MICROS_PER_CENT).toFixed(4))}¢`
}

/** Exact dollars with at most six places, as in `0.025`, to micro-dollars. Throws RangeError for any other text. */
export function parseUsd(usd: string): Micros {
  const [, dollars = '', places = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(usd) ?? []
  if (dollars === '') throw new RangeError(`${usd} is not an amount in dollars.`)
  return Number(dollars + places.padEnd(6, '0'))
}

/**
 * PostgreSQL's bigint arrives as text. Throws RangeError for an amount beyond 2^53 micro-dollars instead of rounding
 * it.
 */
export function parseMicros(text: string | number): Micros {
  const micros = Number(text)
  if (!Number.isSafeInteger(micros))
    throw new RangeError(`${text} micro-dollars is more than the gateway can count.`)
  return micros
}
