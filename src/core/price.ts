// A price is data that the catalog prints, plus at most two small functions that count.
import { fail } from './errors.ts'
import { centsToMicros, type Micros, microsToCents, microsToUsd } from './money.ts'

/** The price of calls that set these parameters so: `{ when: { lite_enrich: true }, cents: 30 }`. */
export interface PriceVariant {
  readonly when: Readonly<Record<string, string | boolean>>
  readonly cents: number
}

/** One price for every call. With `used`, what was delivered is settled: 0 for a miss, which is then free. */
export interface FixedPrice<Output> {
  readonly cents: number
  /** The first one that fits the input replaces `cents`. */
  readonly variants?: readonly PriceVariant[]
  readonly used?: (output: Output) => number
}

/** So much per unit counted in the input. With `used`, the units delivered are settled, never more than were quoted. */
export interface UnitPrice<Input, Output> {
  readonly cents: number
  readonly per: (input: Input) => number
  /** What is counted, in the singular: `URL`. */
  readonly unit: string
  /** The most units that the input schema allows; with `atLeast` (default 1) it bounds the published range. */
  readonly atMost: number
  readonly atLeast?: number
  /** The total is rounded up to whole cents. */
  readonly wholeCents?: true
  readonly used?: (output: Output) => number
}

/** A cap is held and what the call really cost is settled. `'maxCost'`: the caller's own ceiling is the cap. */
export interface CappedPrice<Input, Output> {
  readonly upToCents: number | 'maxCost' | ((input: Input) => number)
  /** The most that a computed cap can come to; needed where `upToCents` is a function. */
  readonly atMostCents?: number
  readonly settle: (call: { readonly input: Input; readonly output: Output }) => number
}

export type Price<Input, Output> =
  | 'free'
  | FixedPrice<Output>
  | UnitPrice<Input, Output>
  | CappedPrice<Input, Output>

// Functions over prices do not care what they count; the definition did, when it was written.
// biome-ignore lint/suspicious/noExplicitAny: a price is contravariant in its input, so only `any` accepts them all.
export type AnyPrice = Price<any, any>

export interface Quote {
  /** `exact`: this is charged on success, or less where less was delivered. `cap`: at most this. */
  readonly kind: 'exact' | 'cap'
  readonly micros: Micros
}

/** What a call would cost. `maxCostMicros` is the caller's ceiling. Throws `max_cost_required`, `max_cost_exceeded`. */
export function quotePrice(price: AnyPrice, input: unknown, maxCostMicros?: Micros): Quote {
  const quote = quoteBeforeCeiling(price, input, maxCostMicros)
  if (maxCostMicros !== undefined && quote.micros > maxCostMicros) {
    throw fail('max_cost_exceeded', {
      message: `This call costs ${quote.kind === 'cap' ? 'up to ' : ''}${formatCents(quote.micros)}, above your max_cost_cents of ${microsToCents(maxCostMicros, 'down')}. Raise the ceiling to go ahead.`,
      data: {
        price_cents: microsToCents(quote.micros, 'up'),
        price_usd: microsToUsd(quote.micros),
      },
    })
  }
  return quote
}

function quoteBeforeCeiling(price: AnyPrice, input: unknown, maxCostMicros?: Micros): Quote {
  if (price === 'free') return { kind: 'exact', micros: 0 }
  if ('upToCents' in price) {
    if (price.upToCents === 'maxCost') {
      if (maxCostMicros === undefined) throw fail('max_cost_required')
      return { kind: 'cap', micros: maxCostMicros }
    }
    const cents = typeof price.upToCents === 'function' ? price.upToCents(input) : price.upToCents
    return { kind: 'cap', micros: centsToMicros(cents) }
  }
  if (!('per' in price)) return { kind: 'exact', micros: centsToMicros(centsFor(price, input)) }
  return { kind: 'exact', micros: unitsToMicros(price, price.per(input)) }
}

function centsFor({ cents, variants = [] }: FixedPrice<never>, input: unknown): number {
  const fields = input as Record<string, unknown>
  const fitting = variants.find(({ when }) =>
    Object.entries(when).every(([name, value]) => fields[name] === value),
  )
  return fitting?.cents ?? cents
}

/** What a finished call is charged: what was delivered, and never more than the quote. */
export function settlePrice(
  price: AnyPrice,
  quote: Quote,
  input: unknown,
  output: unknown,
): Micros {
  if (price === 'free') return 0
  if ('upToCents' in price)
    return Math.min(quote.micros, centsToMicros(price.settle({ input, output })))
  if (price.used === undefined) return quote.micros
  const cents = 'per' in price ? price.cents : centsFor(price, input)
  return Math.min(quote.micros, unitsToMicros({ ...price, cents }, price.used(output)))
}

function unitsToMicros(price: { cents: number; wholeCents?: true }, units: number): Micros {
  const micros = centsToMicros(price.cents * units)
  return price.wholeCents ? centsToMicros(microsToCents(micros, 'up')) : micros
}

export type PaymentProtocol =
  | { readonly x402: object }
  | { readonly mpp: { readonly method: string; readonly intent: 'charge' } }

/** The price as the catalog publishes it. Amounts are dollars with six places. Source: spec, "Price metadata of an action". */
export interface PriceMetadata {
  readonly mode: 'fixed' | 'dynamic'
  readonly currency: 'USD'
  readonly amount?: string
  readonly min?: string
  readonly max?: string
  readonly protocols: readonly PaymentProtocol[]
  /** The same for a person: `2¢ per URL (2¢ to 10¢)`. */
  readonly text: string
}

export function describePrice(
  price: AnyPrice,
  protocols: readonly PaymentProtocol[] = [],
): PriceMetadata {
  const base = { currency: 'USD', protocols } as const
  if (price === 'free') return { ...base, mode: 'fixed', amount: microsToUsd(0), text: 'free' }
  if ('upToCents' in price) return { ...base, ...describeCap(price) }
  if (!('per' in price)) return { ...base, ...describeFixed(price) }
  const min = unitsToMicros(price, price.atLeast ?? 1)
  const max = unitsToMicros(price, price.atMost)
  const range = `(${formatCents(min)} to ${formatCents(max)})`
  const text = `${formatCents(centsToMicros(price.cents))} per ${price.unit} ${range}`
  return { ...base, mode: 'dynamic', min: microsToUsd(min), max: microsToUsd(max), text }
}

function describeFixed({
  cents,
  variants = [],
  used,
}: FixedPrice<never>): Omit<PriceMetadata, 'currency' | 'protocols'> {
  const micros = centsToMicros(cents)
  const miss = used === undefined ? '' : ', free on a miss'
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

function describeCap(
  price: CappedPrice<never, never>,
): Pick<PriceMetadata, 'mode' | 'min' | 'max' | 'text'> {
  const min = microsToUsd(0)
  if (price.upToCents === 'maxCost')
    return { mode: 'dynamic', min, text: 'quoted; held at your max_cost_cents' }
  const cents = typeof price.upToCents === 'number' ? price.upToCents : price.atMostCents
  if (cents === undefined) throw new TypeError('A computed cap needs atMostCents.')
  const max = centsToMicros(cents)
  return {
    mode: 'dynamic',
    min,
    max: microsToUsd(max),
    text: `at most ${formatCents(max)}`,
  }
}

function formatCents(micros: Micros): string {
  return `${Number((micros / 10_000).toFixed(4))}¢`
}
