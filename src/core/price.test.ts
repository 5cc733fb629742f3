import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AnyPrice,
  type FixedPrice,
  type Price,
  priceRange,
  quotePrice,
  settlePrice,
} from './price.ts'
import { priceBounds } from './pricing/bounds.ts'
import { describePrice } from './pricing/describe-price.ts'

const perUrl: Price<{ urls: number }, unknown> = {
  cents: 2,
  per: (input) => input.urls,
  unit: 'URL',
  atMost: 5,
}
const perField: Price<{ fields: number }, unknown> = {
  cents: 0.1,
  per: (input) => input.fields,
  unit: 'field',
  atMost: 300,
  wholeCents: true,
}
const perRow: Price<{ rows: number }, { rows: number }> = {
  cents: 1,
  per: (input) => input.rows,
  unit: 'row',
  atMost: 25,
  used: (output) => output.rows,
}
const computedCap: Price<{ budget: number }, { spent: number }> = {
  upToCents: (input) => input.budget,
  atMostCents: 500,
  settle: ({ output }) => output.spent,
}

const computed: Price<{ seconds: number }, unknown> = {
  centsFor: (input) => input.seconds * 7.5,
  fromCents: 7.5,
  atMostCents: 75,
  basis: '7.5¢ per second',
}
const purchase: AnyPrice = {
  upToCents: 'maxCost',
  fromCents: 20,
  atMostCents: 200,
  basis: '20¢ per page',
  settle: () => 1,
}

describe('quote', () => {
  test.each([
    { price: 'free', input: {}, kind: 'exact', micros: 0 },
    { price: { cents: 1 }, input: {}, kind: 'exact', micros: 10_000 },
    { price: perUrl, input: { urls: 3 }, kind: 'exact', micros: 60_000 },
    { price: perField, input: { fields: 1 }, kind: 'exact', micros: 10_000 },
    { price: perField, input: { fields: 10 }, kind: 'exact', micros: 10_000 },
    { price: perField, input: { fields: 11 }, kind: 'exact', micros: 20_000 },
    { price: perRow, input: { rows: 25 }, kind: 'exact', micros: 250_000 },
    { price: computed, input: { seconds: 3 }, kind: 'exact', micros: 225_000 },
    { price: computedCap, input: { budget: 40 }, kind: 'cap', micros: 400_000 },
  ] as { price: AnyPrice; input: unknown; kind: string; micros: number }[])(
    '$input costs $micros micro-dollars ($kind)',
    ({ price, input, kind, micros }) => expect(quotePrice(price, input)).toEqual({ kind, micros }),
  )

  test('passes at the ceiling and is refused above it', () => {
    expect(quotePrice(perUrl, { urls: 5 }, 100_000).micros).toBe(100_000)
    expect(() => quotePrice(perUrl, { urls: 5 }, 99_999)).toThrow(
      expect.objectContaining({ code: 'max_cost_exceeded' }),
    )
  })

  test('of a purchase is the ceiling, which is required', () => {
    expect(quotePrice(purchase, {}, 500_000)).toEqual({ kind: 'cap', micros: 500_000 })
    expect(() => quotePrice(purchase, {})).toThrow(
      expect.objectContaining({ code: 'max_cost_required' }),
    )
  })
})

test('a purchase holds no more than it can cost and refuses a ceiling below its lowest price', () => {
  expect(quotePrice(purchase, {}, 50_000_000)).toEqual({ kind: 'cap', micros: 2_000_000 })
  expect(() => quotePrice(purchase, {}, 190_000)).toThrow(
    expect.objectContaining({ code: 'max_cost_exceeded' }),
  )
  expect(priceRange(purchase, {})).toEqual({ min: 200_000, max: 2_000_000 })
  expect(priceRange(perUrl, { urls: 3 })).toEqual({ min: 60_000, max: 60_000 })
  expect(priceRange(computedCap, { budget: 40 })).toEqual({ min: 0, max: 400_000 })
})

test('a session holds its reserve, and can cost as much as its price says', () => {
  const metered: AnyPrice = {
    perHourCents: { vcpu: 5 },
    reserveCents: 5,
    atMostCents: 1_000,
    basis: '5¢ per vCPU-hour',
  }
  expect(quotePrice(metered, {})).toEqual({ kind: 'cap', micros: 50_000 })
  expect(priceRange(metered, {})).toEqual({ min: 0, max: 10_000_000 })
})

test('a charge never exceeds the quote, however much was delivered', () => {
  const prices = [
    perRow,
    computedCap,
    { cents: 3, used: (output: { rows: number }) => output.rows },
  ] as AnyPrice[]
  fc.assert(
    fc.property(
      fc.constantFrom(...prices),
      fc.nat(500),
      fc.nat(1_000),
      (price, asked, delivered) => {
        const input = { rows: asked, budget: asked }
        const quote = quotePrice(price, input)
        const charged = settlePrice(price, quote, input, { rows: delivered, spent: delivered })
        expect(charged).toBeLessThanOrEqual(quote.micros)
        expect(charged).toBeGreaterThanOrEqual(0)
      },
    ),
  )
})

test.each([
  { price: 'free', expected: { mode: 'fixed', amount: '0.000000', text: 'free' } },
  { price: { cents: 1 }, expected: { mode: 'fixed', amount: '0.010000', text: '1¢' } },
  {
    price: { cents: 10, used: () => 0 },
    expected: { mode: 'fixed', amount: '0.100000', text: '10¢, free on a miss' },
  },
  {
    price: perUrl,
    expected: { mode: 'dynamic', min: '0.020000', max: '0.100000', text: '2¢ per URL (2¢ to 10¢)' },
  },
  {
    price: perField,
    expected: {
      mode: 'dynamic',
      min: '0.010000',
      max: '0.300000',
      text: '0.1¢ per field (1¢ to 30¢)',
    },
  },
  {
    price: computedCap,
    expected: {
      mode: 'dynamic',
      min: '0.000000',
      max: '5.000000',
      text: 'at most 500¢',
    },
  },
  {
    price: computed,
    expected: {
      mode: 'dynamic',
      min: '0.075000',
      max: '0.750000',
      text: '7.5¢ per second (7.5¢ to 75¢)',
    },
  },
  {
    price: purchase,
    expected: {
      mode: 'dynamic',
      min: '0.200000',
      max: '2.000000',
      text: '20¢ per page (20¢ to 200¢), within your max_cost_cents',
    },
  },
] as { price: AnyPrice; expected: object }[])('$expected.text', ({ price, expected }) => {
  expect(describePrice({ price })).toEqual({ currency: 'USD', protocols: [], ...expected })
})

test('a variant replaces the price of calls with its parameters', () => {
  const price: FixedPrice<{ hit: boolean }> = {
    cents: 55,
    variants: [{ when: { lite: true }, cents: 30 }],
    used: ({ hit }) => (hit ? 1 : 0),
  }
  const charged = (input: object, hit: boolean) =>
    settlePrice(price, quotePrice(price, input), input, { hit })
  expect(quotePrice(price, {}).micros).toBe(550_000)
  expect(quotePrice(price, { lite: false }).micros).toBe(550_000)
  expect(quotePrice(price, { lite: true }).micros).toBe(300_000)
  expect([charged({}, true), charged({ lite: true }, true)]).toEqual([550_000, 300_000])
  expect([charged({}, false), charged({ lite: true }, false)]).toEqual([0, 0])
  expect(describePrice({ price })).toMatchObject({
    mode: 'dynamic',
    min: '0.300000',
    max: '0.550000',
    text: '55¢, 30¢ with lite true, free on a miss',
  })
})

test('an exact price may require a ceiling, and is still held and charged exactly', () => {
  const recipe: AnyPrice = {
    cents: 1_100,
    variants: [{ when: { variant: 'extended' }, cents: 3_400 }],
    ceilingRequired: true,
  }
  const input = { variant: 'extended' }
  expect(() => quotePrice(recipe, input)).toThrow(
    expect.objectContaining({ code: 'max_cost_required' }),
  )
  expect(() => quotePrice(recipe, input, 33_999_999)).toThrow(
    expect.objectContaining({ code: 'max_cost_exceeded' }),
  )
  const quote = quotePrice(recipe, input, 50_000_000)
  expect(quote).toEqual({ kind: 'exact', micros: 34_000_000 })
  expect(settlePrice(recipe, quote, input, {})).toBe(34_000_000)
  expect(priceRange(recipe, { variant: 'standard' })).toEqual({ min: 11_000_000, max: 11_000_000 })
  expect(describePrice({ price: recipe })).toMatchObject({
    mode: 'dynamic',
    min: '11.000000',
    max: '34.000000',
  })
})

describe('a sum of prices', () => {
  const parts = (min: number, max: number): Price<unknown, { spent: number }> => ({
    sumOf: () => ({ min, max, isExact: min === max }),
    atMostCents: 100,
    basis: 'the sum of its calls',
    settle: ({ output }) => output.spent,
  })
  const cents = 10_000

  test('needs a ceiling, and is refused if its parts are known to cost more', () => {
    expect(() => quotePrice(parts(2 * cents, 2 * cents), {})).toThrow(/max_cost_cents/)
    expect(() => quotePrice(parts(2 * cents, 9 * cents), {}, cents)).toThrow(/at least 2/)
  })

  test('holds an exact sum exactly, and else what the parts may cost up to the ceiling', () => {
    expect(quotePrice(parts(3 * cents, 3 * cents), {}, 9 * cents)).toEqual({
      kind: 'exact',
      micros: 3 * cents,
    })
    expect(quotePrice(parts(0, 7 * cents), {}, 9 * cents).micros).toBe(7 * cents)
    expect(quotePrice(parts(0, 70 * cents), {}, 9 * cents)).toEqual({
      kind: 'cap',
      micros: 9 * cents,
    })
  })

  test('holds no more than its highest amount, and refuses parts that cost more', () => {
    expect(quotePrice(parts(0, 900 * cents), {}, 500 * cents).micros).toBe(100 * cents)
    expect(() => quotePrice(parts(200 * cents, 200 * cents), {}, 500 * cents)).toThrow(/at most/)
  })

  test('charges what the parts did cost, never more than was held', () => {
    const price = parts(0, 9 * cents)
    const quote = quotePrice(price, {}, 9 * cents)
    expect(settlePrice(price, quote, {}, { spent: 4.5 })).toBe(4.5 * cents)
    expect(settlePrice(price, quote, {}, { spent: 12 })).toBe(9 * cents)
  })
})

const byMode: FixedPrice<unknown> = {
  cents: 5,
  variants: [
    { when: { deep: true }, cents: 30 },
    { when: { mode: 'fast' }, cents: 2 },
  ],
}

describe('the bounds of a price whose input is not all known', () => {
  test.each([
    ['an open count', perUrl, { urls: 3 }, ['urls']],
    ['an open length', computed, { seconds: 4 }, ['seconds']],
    ['an open cap', computedCap, { budget: 80 }, ['budget']],
    ['an open choice that is not taken', byMode, { deep: false }, ['deep']],
    ['an open choice that is taken', byMode, { deep: true }, ['deep']],
    ['a known choice', byMode, { mode: 'fast' }, []],
    ['a known choice before an open one', byMode, { deep: true, mode: 'fast' }, ['mode']],
  ] as const)('hold the quote with %s', (_title, price, input, open) => {
    const { min, max } = priceBounds(price, input, new Set(open))
    const { kind, micros } = quotePrice(price, input)
    expect(micros).toBeLessThanOrEqual(max)
    // A cap may be charged down to nothing.
    expect(min).toBeLessThanOrEqual(kind === 'cap' ? 0 : micros)
  })

  test('are narrow where the choice is known', () => {
    expect(priceBounds(byMode, { mode: 'fast' }, new Set())).toEqual({ min: 20_000, max: 20_000 })
    expect(priceBounds(byMode, {}, new Set(['deep']))).toEqual({ min: 50_000, max: 300_000 })
  })
})
