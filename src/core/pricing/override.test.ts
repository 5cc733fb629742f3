import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsToMicros } from '../money.ts'
import {
  type AnyPrice,
  type CappedPrice,
  type Price,
  priceRange,
  quotePrice,
  settlePrice,
} from '../price.ts'
import { describePrice } from './describe-price.ts'
import {
  formatFactor,
  multiply,
  type Override,
  overrideKindOf,
  parseFactor,
  replacePrice,
  settleHeld,
} from './override.ts'

interface Rows {
  readonly rows: number
}

const perRow: Price<Rows, Rows> = {
  cents: 1,
  unit: 'row',
  atMost: 25,
  per: ({ rows }) => rows,
  used: ({ rows }) => rows,
}
const perPage: Price<Rows, Rows> = {
  cents: 0.2,
  unit: 'page',
  atMost: 25,
  wholeCents: true,
  per: ({ rows }) => rows,
  used: ({ rows }) => rows,
}
const varied: AnyPrice = { cents: 2, variants: [{ when: { full: true }, cents: 4.5 }] }
const computed: Price<Rows, Rows> = {
  centsFor: ({ rows }) => rows * 7.5,
  fromCents: 7.5,
  atMostCents: 187.5,
  basis: '7.5¢ per second',
}
const capped: CappedPrice<Rows, Rows> = {
  upToCents: ({ rows }) => rows * 1.3,
  atMostCents: 32.5,
  settle: ({ output }) => output.rows * 1.3,
}
const metered: AnyPrice = {
  perHourCents: { vcpu: 5 },
  reserveCents: 10,
  atMostCents: 1_000,
  basis: '5¢ per vCPU-hour',
}

const anyFactor = fc.integer({ min: 10_000, max: 100_000_000 }).map((factor) => ({ factor }))
const anyAmount = fc.integer({ min: 1, max: 1_000_000_000 }).map((micros) => ({ micros }))
const anyOverridden = fc.oneof(
  fc.tuple(fc.constantFrom(perRow, perPage), anyAmount),
  fc.tuple(fc.constantFrom(varied, computed, capped), anyFactor),
)
const anyCall = fc.record({
  asked: fc.integer({ min: 1, max: 25 }),
  full: fc.boolean(),
  missing: fc.nat(24),
})

function replaced(price: AnyPrice, override: Override): AnyPrice {
  const found = replacePrice(price, override)
  if (found === undefined) throw new Error('The override does not fit the price.')
  return found
}

test('a call that delivers all is charged its quote, and one that delivers less is charged no more', () => {
  fc.assert(
    fc.property(anyOverridden, anyCall, ([price, override], { asked, full, missing }) => {
      const now = replaced(price, override)
      const input = { rows: asked, full }
      const quote = quotePrice(now, input)
      expect(settlePrice(now, quote, input, { rows: asked })).toBe(quote.micros)
      const less = settlePrice(now, quote, input, { rows: Math.max(0, asked - missing) })
      expect(less).toBeLessThanOrEqual(quote.micros)
    }),
  )
})

test('every quote is within what is published', () => {
  fc.assert(
    fc.property(anyOverridden, anyCall, ([price, override], { asked, full }) => {
      const now = replaced(price, override)
      const { min, max } = describePrice({ price: now })
      const quoted = priceRange(now, { rows: asked, full })
      expect(quoted.max).toBeLessThanOrEqual(centsToMicros(Number(max) * 100))
      if (!('used' in (now as object)))
        expect(quoted.min).toBeGreaterThanOrEqual(centsToMicros(Number(min) * 100))
    }),
  )
})

test('a job is charged at the price that it was quoted, which only its hold still tells', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.constant(perRow), anyAmount),
      anyCall,
      ([price, override], { asked, missing }) => {
        const now = replaced(price, override)
        const input = { rows: asked }
        const output = { rows: Math.max(0, asked - missing) }
        const quote = quotePrice(now, input)
        const charged = settleHeld(price, quote.micros, input, output)
        expect(charged).toBe(settlePrice(now, quote, input, output))
      },
    ),
  )
  fc.assert(
    fc.property(anyOverridden, anyCall, ([price, override], { asked, full }) => {
      const input = { rows: asked, full }
      const quote = quotePrice(replaced(price, override), input)
      expect(settleHeld(price, quote.micros, input, { rows: asked })).toBe(quote.micros)
    }),
  )
})

test('a job without an override is charged as ever', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(perRow, perPage, varied, computed, capped),
      anyCall,
      (price, { asked, full, missing }) => {
        const input = { rows: asked, full }
        const output = { rows: Math.max(0, asked - missing) }
        const quote = quotePrice(price, input)
        expect(settleHeld(price, quote.micros, input, output)).toBe(
          settlePrice(price, quote, input, output),
        )
      },
    ),
  )
})

test.each([
  [perRow, { micros: 25_000 }, '2.5¢ per row (2.5¢ to 62.5¢)'],
  [varied, { factor: 1_250_000 }, '2.5¢, 5.625¢ with full true'],
  [computed, { factor: 1_200_000 }, '1.2 times 7.5¢ per second (9¢ to 225¢)'],
  [capped, { factor: 2_000_000 }, 'at most 65¢'],
  [{ ...capped, basis: '2¢ per row' }, { factor: 2_000_000 }, '2 times 2¢ per row, at most 65¢'],
  [metered, { factor: 500_000 }, '0.5 times 5¢ per vCPU-hour, by the second'],
] as [AnyPrice, Override, string][])('%o at %o costs %s', (price, override, text) => {
  expect(describePrice({ price: replaced(price, override) }).text).toBe(text)
})

test('the tariff and the reserve of a session are multiplied together', () => {
  expect(replaced(metered, { factor: 1_500_000 })).toMatchObject({
    perHourCents: { vcpu: 7.5 },
    reserveCents: 15,
    atMostCents: 1_500,
  })
})

test.each([
  ['free', 'free'],
  [
    'a purchase',
    { upToCents: 'maxCost', fromCents: 1, atMostCents: 9, basis: '', settle: () => 1 },
  ],
  ['a budget of the caller', { upToCents: 9, isBudget: true, settle: () => 1 }],
  [
    'a sum of other calls',
    {
      sumOf: () => ({ min: 0, max: 0, isExact: true }),
      atMostCents: 9,
      basis: '',
      settle: () => 1,
    },
  ],
] as [string, AnyPrice][])('the price of %s stays', (_name, price) => {
  expect(overrideKindOf(price)).toBeUndefined()
  for (const override of [{ micros: 1 }, { factor: 1 }])
    expect(replacePrice(price, override)).toBeUndefined()
})

test('a product is exact to half a micro-dollar, never zero, and grows with its amount', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000_000 }),
      fc.integer({ min: 10_000, max: 100_000_000 }),
      (micros, factor) => {
        const product = BigInt(multiply(micros, factor)) * 1_000_000n
        const distance = product - BigInt(micros) * BigInt(factor)
        expect(product > 0n).toBe(true)
        if (product > 1_000_000n) expect(distance <= 500_000n && distance > -500_000n).toBe(true)
        expect(multiply(micros + 1, factor)).toBeGreaterThanOrEqual(multiply(micros, factor))
      },
    ),
  )
})

test('a factor is written as it is read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (factor) => {
      expect(parseFactor(formatFactor(factor))).toBe(factor)
    }),
  )
  expect(formatFactor(10_000_000)).toBe('10')
})
