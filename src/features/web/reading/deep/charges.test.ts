import fc from 'fast-check'
import { expect, test } from 'vitest'
import { microsToCents } from '#core/money.ts'
import { unstartedRow } from '../actions/rows.ts'
import type { RungPrice } from '../ladder/prices.ts'
import { chargeRows } from './charges.ts'

const row = unstartedRow('https://a.example/', 'markdown')
const charge = (prices: readonly (RungPrice | null)[]) =>
  chargeRows(prices.map((price) => ({ row, price })))
const batchOf = (pages: number) => Array<RungPrice>(pages).fill('batch')

test.each([
  { prices: [], micros: 0, cents: [], usd: [] },
  { prices: [null], micros: 0, cents: [0], usd: ['0.000000'] },
  { prices: batchOf(1), micros: 10_000, cents: [1], usd: ['0.010000'] },
  {
    prices: batchOf(3),
    micros: 10_000,
    cents: [1, 0, 0],
    usd: ['0.003334', '0.003333', '0.003333'],
  },
  {
    prices: [null, 'batch', 4, 'batch'] as const,
    micros: 50_000,
    cents: [0, 1, 4, 0],
    usd: ['0.000000', '0.005000', '0.040000', '0.005000'],
  },
])('$prices cost $micros micro-dollars, as $cents', ({ prices, micros, cents, usd }) => {
  const charged = charge(prices)
  expect(charged.micros).toBe(micros)
  expect(charged.rows.map(({ charged_cents }) => charged_cents)).toEqual(cents)
  expect(charged.rows.map(({ charged_usd }) => charged_usd)).toEqual(usd)
})

test.each([
  [9, 10_000],
  [10, 10_000],
  [11, 11_000],
  [20, 20_000],
  [50, 50_000],
])('%d pages of rung 1 cost %d micro-dollars together', (pages, micros) =>
  expect(charge(batchOf(pages)).micros).toBe(micros),
)

test('the call of the minimum is what the pages cost beyond their own calls', () => {
  expect(charge(batchOf(3)).minimum).toMatchObject({ provider: 'ladder', charged_cents: 0.7 })
  expect(charge(batchOf(10))).not.toHaveProperty('minimum')
  expect(charge([1, 4])).not.toHaveProperty('minimum')
})

test('rows sum to the charge, exactly in dollars and rounded up in cents', () => {
  const price = fc.constantFrom<RungPrice | null>('batch', 'batch', 1, 2, 4, null)
  fc.assert(
    fc.property(fc.array(price, { maxLength: 50 }), (prices) => {
      const { rows, micros } = charge(prices)
      const dollars = rows.map(({ charged_usd = '' }) => Number(charged_usd.replace('.', '')))
      expect(dollars.reduce((sum, each) => sum + each, 0)).toBe(micros)
      const cents = rows.map(({ charged_cents }) => charged_cents)
      expect(cents.reduce((sum, each) => sum + each, 0)).toBe(microsToCents(micros, 'up'))
      for (const [index, own] of prices.entries())
        if (own !== 'batch') expect(cents[index]).toBe(own ?? 0)
    }),
  )
})
