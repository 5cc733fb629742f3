// What a price rule shows, quotes and charges.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsToMicros, parseUsd } from '#core/money.ts'
import { type AnyPrice, priceRange, quotePrice, settlePrice } from '#core/price.ts'
import { priceBounds } from '#core/pricing/bounds.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { overrideKindOf, replacePrice } from '#core/pricing/override.ts'
import { unitsOf } from '#core/pricing/units.ts'
import { noteFacts } from '../operations/answer.ts'
import { countedFieldOf, priceOf } from './price.ts'
import { type PriceRule, readPriceRules } from './price-rules.ts'

/** Cents with four places, as rules have them. */
const anyCents = (most: number) =>
  fc.integer({ min: 1, max: most * 10_000 }).map((micros) => micros / 10_000)

const counted = fc.constantFrom(
  { field: 'rows' },
  { answer: '/rows' },
  { of: 'bytes' },
  { of: 'seconds' },
)
const anyRule = fc
  .record(
    {
      match: fc.constant('*'),
      price: anyCents(50),
      per: fc
        .record(
          { at_most: fc.integer({ min: 1, max: 40 }), each: fc.integer({ min: 1, max: 7 }) },
          { requiredKeys: ['at_most'] },
        )
        .chain((unit) => counted.map((what) => ({ ...what, ...unit }))),
      minimum: fc.option(anyCents(200), { nil: 0 }),
      when: fc.constant({ answer: '/good' }),
    },
    { requiredKeys: ['match', 'price'] },
  )
  .map(({ minimum, ...rule }) => ({
    ...rule,
    ...(rule.per !== undefined && minimum !== undefined && { minimum }),
  }))

const anyFactor = fc.integer({ min: 10_000, max: 100_000_000 })

/** What everyone pays, or a group of accounts, or all under an override of the operator. */
function priceUnder(rule: PriceRule, factor: number | undefined): AnyPrice {
  const price = priceOf(rule)
  if (factor === undefined) return price
  const override = overrideKindOf(price) === 'factor' ? { factor } : { micros: factor }
  return replacePrice(price, override) ?? price
}

/** Of a call that asks for `rows` and delivers `delivered`. */
function answerOf(delivered: number, good: boolean): object {
  const answer = { rows: Array.from({ length: delivered }), good }
  noteFacts(answer, { bytes: delivered, seconds: delivered / 3 })
  return answer
}

const boundIn = (text: string, degree: string): number | undefined => {
  const [, cents] = new RegExp(`${degree} ([\\d.]+)¢`).exec(text) ?? []
  return cents === undefined ? undefined : centsToMicros(Number(cents))
}

test('a call is never charged less than its price shows as the least, nor more than the most', () => {
  fc.assert(
    fc.property(
      anyRule,
      fc.option(anyFactor, { nil: undefined }),
      fc.nat(40),
      fc.nat(60),
      fc.boolean(),
      (written, factor, asked, delivered, good) => {
        const [rule] = readPriceRules([written])
        if (rule === undefined) throw new Error('There is one rule.')
        const price = priceUnder(rule, factor)
        const input = { rows: Math.min(asked, rule.per?.at_most ?? asked) }
        const quote = quotePrice(price, input)
        const charged = settlePrice(price, quote, input, answerOf(delivered, good))
        const range = priceRange(price, input)
        expect(charged).toBeGreaterThanOrEqual(range.min)
        expect(charged).toBeLessThanOrEqual(range.max)
        if (rule.when !== undefined && !good) expect(charged).toBe(0)
        else {
          const { amount = '', min = amount, max = amount, text } = describePrice({ price })
          expect(charged).toBeGreaterThanOrEqual(parseUsd(min))
          expect(charged).toBeLessThanOrEqual(parseUsd(max))
          expect(charged).toBeGreaterThanOrEqual(boundIn(text, 'at least') ?? 0)
          expect(charged).toBeLessThanOrEqual(boundIn(text, 'at most') ?? charged)
          const bounds = priceBounds(price, input, new Set(['rows']))
          expect(charged).toBeGreaterThanOrEqual(bounds.min)
          expect(charged).toBeLessThanOrEqual(bounds.max)
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a call never counts more units than its price lets it be charged for', () => {
  fc.assert(
    fc.property(anyRule, fc.nat(40), fc.nat(1_000_000_000), (written, asked, claimed) => {
      const [rule] = readPriceRules([written])
      if (rule?.per === undefined) return
      const { at_most: atMost, each = 1 } = rule.per
      const answer = { rows: claimed, good: true }
      noteFacts(answer, { bytes: claimed, seconds: claimed })
      const units = unitsOf(priceOf(rule), { rows: Math.min(asked, atMost) }, answer)
      expect(units).toBeLessThanOrEqual(Math.ceil(atMost / each))
    }),
  )
})

test.each([1e308, Number.POSITIVE_INFINITY])('a count of %d is refused in a sentence', (rows) => {
  const priceFor = (per: object) => {
    const [rule] = readPriceRules([{ match: '*', price: 2, per: { at_most: 10, ...per } }])
    if (rule === undefined) throw new Error('There is one rule.')
    return priceOf(rule)
  }
  expect(() => quotePrice(priceFor({ field: 'rows' }), { rows })).toThrow(
    expect.objectContaining({
      code: 'bad_request',
      message: 'rows may count at most 10 in one call. Send several calls.',
    }),
  )
  const price = priceFor({ answer: '/rows' })
  const quote = quotePrice(price, {})
  expect(() => settlePrice(price, quote, {}, { rows })).toThrow(
    expect.objectContaining({
      code: 'upstream_error',
      message: expect.stringContaining('At most 1000000000 can be counted. Nothing was charged.'),
    }),
  )
})

const perRow = { match: '*', price: 2, per: { answer: '/rows', unit: 'row', at_most: 10 } }
const perDay = { match: '*', price: 2, per: { field: 'rows', unit: 'day', at_most: 10 } }
const when = { answer: '/good' }

test.each([
  [{ ...perRow, minimum: 3 }, undefined, '2¢ per row, at least 3¢, at most 20¢', '0.030000'],
  [
    { ...perRow, minimum: 3 },
    1_500_000,
    '1.5 times 2¢ per row, at least 4.5¢, at most 30¢',
    '0.045000',
  ],
  [
    { ...perRow, minimum: 3, when },
    2_000_000,
    '2 times 2¢ per row, at least 6¢, at most 40¢, free on a miss',
    '0.000000',
  ],
  [{ ...perRow, minimum: 0 }, undefined, '2¢ per row, at most 20¢', '0.000000'],
  [{ ...perDay, minimum: 3 }, 2_000_000, '2 times 2¢ per day (6¢ to 40¢)', '0.060000'],
  [perDay, undefined, '2¢ per day (0¢ to 20¢)', '0.000000'],
  [{ ...perDay, when }, undefined, '2¢ per day (0¢ to 20¢), free on a miss', '0.000000'],
] as const)('the price of %j at the factor %j is told as "%s"', (written, factor, text, min) => {
  const [rule] = readPriceRules([written])
  expect(rule && describePrice({ price: priceUnder(rule, factor) })).toMatchObject({ text, min })
})

test.each([
  [{ type: 'integer', minimum: 2 }, '2¢ per day (4¢ to 20¢)'],
  [{ type: ['array', 'null'], minItems: 1 }, '2¢ per day (2¢ to 20¢)'],
  [{ type: 'string', minLength: 30 }, '2¢ per day (20¢ to 20¢)'],
  [{ $ref: '#/$defs/days' }, '2¢ per day (6¢ to 20¢)'],
  [{ type: 'number' }, '2¢ per day (0¢ to 20¢)'],
])('a field of %j costs "%s"', (schema, text) => {
  const [rule] = readPriceRules([perDay])
  if (rule === undefined) throw new Error('There is one rule.')
  const input = { type: 'object', properties: { rows: schema } }
  const least = countedFieldOf(rule, input, { days: { type: 'integer', minimum: 3 } })
  expect(describePrice({ price: priceOf(rule, least) }).text).toBe(text)
})

test.each([
  [{ ...perRow, price: 0, minimum: 3 }, '3¢'],
  [{ ...perDay, price: 0, minimum: 3, when }, '3¢, free on a miss'],
  [{ ...perRow, price: 0 }, 'free'],
])('units that cost nothing leave the minimum of a call: %j costs "%s"', (written, text) => {
  const [rule] = readPriceRules([written])
  expect(rule && describePrice({ price: priceOf(rule) }).text).toBe(text)
})

test('a quote tells the minimum of a rule as the least that the call costs', () => {
  const [rule] = readPriceRules([{ ...perRow, minimum: 3 }])
  expect(rule && priceRange(priceOf(rule), {})).toEqual({ min: 30_000, max: 200_000 })
})
