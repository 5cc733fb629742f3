// What an operator sets in place of a price of the catalog: an amount where the price has one, and otherwise a factor,
// by which all its amounts are multiplied. Both are exact.

import { membersOf } from '../input/members.ts'
import { centsToMicros, type Micros, microsToCents } from '../money.ts'
import {
  type AnyPrice,
  type CappedPrice,
  type FixedPrice,
  quotePrice,
  settlePrice,
  type UnitPrice,
} from '../price.ts'
import type { Counted } from './units.ts'

/** A factor in millionths: 1.25 is 1 250 000. */
export type Millionths = number

/** `micros` is the price of a call or of a unit. `factor` multiplies every amount of the price. */
export type Override = { readonly micros: Micros } | { readonly factor: Millionths }

/** What an override of a price says: the price of a `call`, of a `unit`, or a `factor`. */
export type OverrideKind = 'call' | 'unit' | 'factor'

export const millionthsPerOne = 1_000_000

/**
 * Undefined for a price that cannot be replaced: free, by the seller, the sum of others, or within a budget of the
 * caller, whose answer states what was spent.
 */
export function overrideKindOf(price: AnyPrice): OverrideKind | undefined {
  if (price === 'free' || 'sumOf' in price) return undefined
  if ('upToCents' in price)
    return price.upToCents === 'maxCost' || 'isBudget' in price ? undefined : 'factor'
  if ('perHourCents' in price || 'centsFor' in price) return 'factor'
  if ('per' in price) return 'unit'
  return (price.variants ?? []).length === 0 ? 'call' : 'factor'
}

/** The one amount of a price of a call or of a unit. Undefined for a price of any other form. */
export function amountOf(price: AnyPrice): Micros | undefined {
  const kind = overrideKindOf(price)
  if (kind !== 'call' && kind !== 'unit') return undefined
  return centsToMicros((price as FixedPrice<unknown> | UnitPrice<unknown, unknown>).cents)
}

/** The price under an override, in the same form. Undefined if the override does not fit the price. */
export function replacePrice(price: AnyPrice, override: Override): AnyPrice | undefined {
  const kind = overrideKindOf(price)
  if (kind === undefined || 'factor' in override !== (kind === 'factor')) return undefined
  if ('factor' in override) return multiplyPrice(price, override.factor)
  return { ...(price as FixedPrice<unknown>), cents: microsToExactCents(override.micros) }
}

/**
 * The exact product, rounded to the nearest micro-dollar, halves up. A larger amount never has a smaller product, so
 * that a charge within a cap stays within it. What costs something never becomes free.
 */
export function multiply(micros: Micros, factor: Millionths): Micros {
  return scale(micros, factor, millionthsPerOne)
}

/** As `multiply`, by the fraction of two safe integers. */
export function scale(micros: Micros, numerator: number, denominator: number): Micros {
  const [dividend, divisor] = [BigInt(micros) * BigInt(numerator), BigInt(denominator)]
  const rounded = Number((2n * dividend + divisor) / (2n * divisor))
  if (!Number.isSafeInteger(rounded)) throw new RangeError('This amount is too large.')
  return dividend > 0n ? Math.max(1, rounded) : rounded
}

/** `0.8` and the like to millionths. Throws RangeError for any other text. */
export function parseFactor(text: string): Millionths {
  const [, ones = '', places = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (ones === '') throw new RangeError(`${text} is not a factor.`)
  return Number(ones + places.padEnd(6, '0'))
}

/** Without zeros at its end: `1.25`. */
export function formatFactor(factor: Millionths): string {
  const digits = String(factor).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/**
 * The charge of a call of which only the input and the held amount are known, at the price that it was quoted. `price`
 * is that of the catalog. What is held was quoted at the same price times one factor, so the part of it that was
 * delivered is known.
 */
export function settleHeld(price: AnyPrice, held: Micros, input: unknown, output: unknown): Micros {
  const cap = { kind: 'cap', micros: held } as const
  // Any other charge follows from what is held.
  const isCounted = typeof price === 'object' && ('upToCents' in price || 'per' in price)
  if (!isCounted || overrideKindOf(price) === undefined)
    return settlePrice(price, cap, input, output)
  const quote = quotePrice(price, input)
  const charged = settlePrice(price, quote, input, output)
  if (quote.micros === held || quote.micros === 0) return Math.min(held, charged)
  const part = scale(charged, held, quote.micros)
  const isWhole = 'wholeCents' in membersOf(price)
  return Math.min(held, isWhole ? centsToMicros(microsToCents(part, 'up')) : part)
}

/** Cents that `centsToMicros` turns into exactly this amount again. */
const microsToExactCents = (micros: Micros) => micros / centsToMicros(1)

function multiplyPrice(price: AnyPrice, factor: Millionths): AnyPrice {
  const times = (cents: number) => microsToExactCents(multiply(centsToMicros(cents), factor))
  const inWords = (basis: string) => `${formatFactor(factor)} times ${basis}`
  if (price === 'free' || 'sumOf' in price) throw new TypeError('This price has no factor.')
  if ('perHourCents' in price)
    return {
      perHourCents: Object.fromEntries(
        Object.entries(price.perHourCents).map(([meter, cents]) => [meter, times(cents)]),
      ),
      reserveCents: times(price.reserveCents),
      atMostCents: times(price.atMostCents),
      basis: inWords(price.basis),
    }
  if ('centsFor' in price)
    return {
      centsFor: (input) => times(price.centsFor(input)),
      fromCents: times(price.fromCents),
      atMostCents: times(price.atMostCents),
      basis: inWords(price.basis),
      ...(price.units && { units: price.units }),
      ...multiplyCounted(price, times),
    }
  if ('upToCents' in price)
    return multiplyCap(price as CappedPrice<unknown, unknown>, times, inWords)
  const { cents, variants = [], ...rest } = price as FixedPrice<unknown>
  return {
    ...rest,
    cents: times(cents),
    variants: variants.map((variant) => ({ ...variant, cents: times(variant.cents) })),
  }
}

function multiplyCap(
  {
    upToCents,
    atMostCents,
    leastCents,
    usuallyCents,
    basis,
    settle,
    ...rest
  }: CappedPrice<unknown, unknown>,
  times: (cents: number) => number,
  inWords: (basis: string) => string,
): AnyPrice {
  return {
    ...rest,
    upToCents:
      typeof upToCents === 'function'
        ? (input, ceiling) => times(upToCents(input, ceiling))
        : times(upToCents),
    ...(atMostCents === undefined ? {} : { atMostCents: times(atMostCents) }),
    ...(leastCents === undefined ? {} : { leastCents: times(leastCents) }),
    ...(usuallyCents === undefined ? {} : { usuallyCents: times(usuallyCents) }),
    ...(basis === undefined ? {} : { basis: inWords(basis) }),
    settle: (call) => times(settle(call)),
    ...multiplyCounted(rest, times),
  }
}

const multiplyCounted = (
  { centsForUnits }: Counted<unknown, unknown>,
  times: (cents: number) => number,
) => ({
  ...(centsForUnits && { centsForUnits: (units: number) => times(centsForUnits(units)) }),
})
