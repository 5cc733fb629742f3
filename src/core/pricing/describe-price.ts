// A price as callers read it: in words, and as metadata of the catalog.
import { centsToMicros, formatCents, type Micros, microsToUsd } from '../money.ts'
import {
  type AnyPrice,
  type AnyPurchasePrice,
  type CappedPrice,
  capBound,
  type FixedPrice,
  isMetered,
  isPurchase,
  isSum,
  leastOf,
  unitsToMicros,
} from '../price.ts'

/** How callers are told that a wallet can pay by a payment rail. */
export interface RailTerms {
  readonly id: string
  /** The rail takes only an amount that is known before the call, so it cannot pay a price that is a cap. */
  readonly exactOnly?: true
  /** For the operator, in sentences: how wallets pay a price that is a cap, or what the rail lacks for it. */
  readonly aboutCaps?: string
  /** The value under the rail's id in `protocols` of a price. Source: spec, "Price metadata of an action". */
  readonly inPrice: object
  /** In place of it for a price that is a cap, where clients need more than for another price. */
  readonly inCap?: object
  /** The value under the rail's id in `protocols` of OpenAPI's `x-payment-info`. */
  readonly inOpenApi: object
  /** The rail's entry in `offers` of `x-payment-info`, without the amount. */
  readonly offer: { readonly method: string; readonly intent: 'charge'; readonly currency: string }
}

/**
 * The price as the catalog publishes it. Amounts are dollars with six places. Source: spec, "Price metadata of an
 * action".
 */
export interface PriceMetadata {
  readonly mode: 'fixed' | 'dynamic'
  readonly currency: 'USD'
  readonly amount?: string
  readonly min?: string
  readonly max?: string
  readonly protocols: readonly Readonly<Record<string, object>>[]
  /** The price in words: `2¢ per URL (2¢ to 10¢)`. */
  readonly text: string
}

type PriceTerms = Omit<PriceMetadata, 'currency' | 'protocols'>

/** What an action says of its price. */
export interface Priced {
  readonly price: AnyPrice
  readonly freeCallsPerDay?: number
}

export function describePrice(
  { price, freeCallsPerDay }: Priced,
  protocols: PriceMetadata['protocols'] = [],
): PriceMetadata {
  const terms = describeTerms(price)
  const isFreeFirst = freeCallsPerDay !== undefined && price !== 'free'
  const text = isFreeFirst ? `${freeText(freeCallsPerDay)}, then ${terms.text}` : terms.text
  return { currency: 'USD', protocols, ...terms, text }
}

/** What an action costs in words, or what it would cost at another price. */
export const priceInWords = (priced: Priced, price: AnyPrice = priced.price): string =>
  describePrice({ ...priced, price }).text

const freeText = (perDay: number) =>
  `${perDay === 1 ? '1 call a day is' : `${perDay} calls a day are`} free with an account`

function describeTerms(price: AnyPrice): PriceTerms {
  if (isPurchase(price)) return describePurchase(price)
  if (price === 'free') return { mode: 'fixed', amount: microsToUsd(0), text: 'free' }
  if (isMetered(price)) return describeOpen(price, `${price.basis}, by the second`)
  if (isSum(price)) return describeOpen(price, `${price.basis}, within your max_cost_cents`)
  if ('centsFor' in price) return describeRange(price)
  if ('upToCents' in price) return describeCap(price)
  if (!('per' in price)) return describeFixed(price)
  const min = unitsToMicros(price, price.atLeast ?? 1)
  const max = unitsToMicros(price, price.atMost)
  const range = `(${formatCents(min)} to ${formatCents(max)})`
  const text = `${formatCents(centsToMicros(price.cents))} per ${price.unit} ${range}${missText(price)}`
  return { mode: 'dynamic', min: microsToUsd(min), max: microsToUsd(max), text }
}

/** A price that may come to nothing. */
const describeOpen = ({ atMostCents }: { readonly atMostCents: number }, text: string) =>
  ({
    mode: 'dynamic',
    min: microsToUsd(0),
    max: microsToUsd(centsToMicros(atMostCents)),
    text,
  }) as const

function describeFixed(price: FixedPrice<never>): PriceTerms {
  const { cents, variants = [], used, freeWhen = 'on a miss' } = price
  const micros = centsToMicros(cents)
  const miss = used === undefined ? '' : `, free ${freeWhen}`
  if (variants.length === 0) {
    return { mode: 'fixed', amount: microsToUsd(micros), text: `${formatCents(micros)}${miss}` }
  }
  const others = variants.map((variant) => {
    const names = Object.entries(variant.when).map(([name, value]) => `${name} ${value}`)
    return `${formatCents(centsToMicros(variant.cents))} with ${names.join(' and ')}`
  })
  const all = [cents, ...variants.map((variant) => variant.cents)]
  return {
    mode: 'dynamic',
    min: microsToUsd(centsToMicros(Math.min(...all))),
    max: microsToUsd(centsToMicros(Math.max(...all))),
    text: `${[formatCents(micros), ...others].join(', ')}${miss}`,
  }
}

function describeCap(price: CappedPrice<never, never>): PriceTerms {
  const max = capBound(price)
  return {
    mode: 'dynamic',
    min: microsToUsd(leastOf(price)),
    max: microsToUsd(max),
    text: capText(price, max) + missText(price),
  }
}

const missText = ({ freeOnMiss }: { readonly freeOnMiss?: true }) =>
  freeOnMiss ? ', free on a miss' : ''

function capText(
  { usuallyCents, basis, leastCents = 0 }: CappedPrice<never, never>,
  max: Micros,
): string {
  const least = leastCents > 0 && `at least ${formatCents(centsToMicros(leastCents))}`
  const most = [basis, least, `at most ${formatCents(max)}`].filter(Boolean).join(', ')
  if (usuallyCents === undefined || centsToMicros(usuallyCents) >= max) return most
  return `usually ${usuallyCents === 0 ? 'free' : formatCents(centsToMicros(usuallyCents))}, ${most}`
}

function describePurchase(price: AnyPurchasePrice) {
  const range = describeRange(price)
  return { ...range, text: `${range.text}, within your max_cost_cents` }
}

/** A price between two bounds, with how it is formed. */
function describeRange({
  fromCents,
  atMostCents,
  basis,
}: Pick<AnyPurchasePrice, 'fromCents' | 'atMostCents' | 'basis'>): PriceTerms {
  const min = centsToMicros(fromCents)
  const max = centsToMicros(atMostCents)
  return {
    mode: 'dynamic',
    min: microsToUsd(min),
    max: microsToUsd(max),
    text: `${basis} (${formatCents(min)} to ${formatCents(max)})`,
  }
}
