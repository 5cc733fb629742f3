import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Action, defineAction, z } from '../action.ts'
import { createCatalog, describeAction } from '../catalog.ts'
import { microsToUsd } from '../money.ts'
import type { ServiceHttp } from '../ports.ts'
import { type AnyPrice, describePrice, quotePrice, settlePrice } from '../price.ts'
import { defineProvider } from '../provider.ts'
import { createPricedCatalog, flatPriceOf } from './priced-catalog.ts'

const sold = (name: string, price: AnyPrice, cents: number): Action =>
  defineAction(name, {
    ...{ summary: 'Sell.', input: z.strictObject({}), output: z.looseObject({}) },
    ...{ price, example: { input: {}, cents }, run: () => ({}) },
  })

const open = () =>
  createPricedCatalog(
    createCatalog([
      {
        provider: defineProvider({
          ...{ id: 'shop', title: 'Shop' },
          actions: [
            sold('flat', { cents: 2 }, 2),
            sold('miss', { cents: 2, used: ({ hit }: { hit: boolean }) => (hit ? 1 : 0) }, 2),
            sold('agreed', { cents: 2, ceilingRequired: true }, 2),
            sold('varied', { cents: 2, variants: [{ when: { full: true }, cents: 4 }] }, 2),
            sold('rows', { cents: 1, per: () => 1, unit: 'row', atMost: 3 }, 1),
            sold('free', 'free', 0),
          ],
        }),
        ...{ mode: 'live', http: {} as ServiceHttp, close: async () => {} },
      },
    ]),
  )

const price = (catalog: ReturnType<typeof open>, name: string) => {
  const entry = catalog.find('shop', name)
  if (entry === undefined) throw new Error(`The shop does not sell ${name}.`)
  return entry.action.price
}

test('an override is what is published, quoted and charged, to the micro-dollar', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), (micros) => {
      const catalog = open()
      catalog.reprice(new Map([['shop/flat', micros]]))
      const now = price(catalog, 'flat')
      expect(describePrice(now).amount).toBe(microsToUsd(micros))
      const quote = quotePrice(now, {})
      expect(quote).toEqual({ kind: 'exact', micros })
      expect(settlePrice(now, quote, {}, {})).toBe(micros)
    }),
  )
})

test('a miss stays free, and a hit costs what was quoted, even if the price has changed since', () => {
  const catalog = open()
  const quote = quotePrice(price(catalog, 'miss'), {})
  for (const later of [1, 5_000, 90_000]) {
    catalog.reprice(new Map([['shop/miss', later]]))
    expect(settlePrice(price(catalog, 'miss'), quote, {}, { hit: true })).toBe(20_000)
    expect(settlePrice(price(catalog, 'miss'), quote, {}, { hit: false })).toBe(0)
  }
})

test('only flat prices change, and those of the catalog come back', () => {
  const catalog = open()
  const names = ['flat', 'miss', 'agreed', 'varied', 'rows', 'free', 'unknown']
  const before = catalog.entries.map(({ action }) => describePrice(action.price).text)
  catalog.reprice(new Map(names.map((name) => [`shop/${name}`, 70_000])))
  const after = catalog.entries.map(({ action }) => describePrice(action.price).text)
  expect(after).toEqual(['7¢', '7¢, free on a miss', '7¢', ...before.slice(3)])
  const flat = catalog.original.entries.map(({ action }) => flatPriceOf(action.price))
  expect(flat).toEqual([20_000, 20_000, 20_000, undefined, undefined, undefined])
  catalog.reprice(new Map())
  expect(catalog.entries).toEqual(catalog.original.entries)
})

test('the example of an action has its price, and a ceiling that covers it', () => {
  const catalog = open()
  catalog.reprice(new Map([['shop/agreed', 25_000]]))
  const entry = catalog.find('shop', 'agreed')
  expect(entry && describeAction(entry, []).example).toEqual({
    input: { max_cost_cents: 3 },
    cents: 2.5,
  })
})

test('the array of entries is another one only if a price differs', () => {
  const catalog = open()
  const first = catalog.entries
  catalog.reprice(new Map())
  expect(catalog.entries).toBe(first)
  catalog.reprice(new Map([['shop/flat', 1]]))
  const second = catalog.entries
  expect(second).not.toBe(first)
  catalog.reprice(new Map([['shop/flat', 1]]))
  expect(catalog.entries).toBe(second)
  expect(first[0]?.action.price).toEqual({ cents: 2 })
})
