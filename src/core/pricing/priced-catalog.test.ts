import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Action, defineAction, z } from '../action.ts'
import { createCatalog, describeAction } from '../catalog.ts'
import { microsToUsd } from '../money.ts'
import type { ServiceHttp } from '../ports.ts'
import { type AnyPrice, quotePrice, settlePrice } from '../price.ts'
import { defineProvider } from '../provider.ts'
import { describePrice } from './describe-price.ts'
import type { Override } from './override.ts'
import { createPricedCatalog } from './priced-catalog.ts'

const sold = (name: string, price: AnyPrice, cents: number): Action =>
  defineAction(name, {
    summary: 'Sell.',
    input: z.strictObject({}),
    output: z.looseObject({}),
    price,
    example: { input: {}, cents },
    run: () => ({}),
  })

const open = (...more: readonly Action[]) =>
  createPricedCatalog(
    createCatalog([
      {
        provider: defineProvider({
          id: 'shop',
          title: 'Shop',
          actions: [
            sold('flat', { cents: 2 }, 2),
            sold('miss', { cents: 2, used: ({ hit }: { hit: boolean }) => (hit ? 1 : 0) }, 2),
            sold('agreed', { cents: 2, ceilingRequired: true }, 2),
            sold('varied', { cents: 2, variants: [{ when: { full: true }, cents: 4 }] }, 2),
            sold('rows', { cents: 1, per: () => 1, unit: 'row', atMost: 3 }, 1),
            sold('free', 'free', 0),
            ...more,
          ],
        }),
        mode: 'live',
        http: {} as ServiceHttp,
        close: async () => {},
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
      catalog.reprice(new Map([['shop/flat', { micros }]]))
      const now = price(catalog, 'flat')
      expect(describePrice({ price: now }).amount).toBe(microsToUsd(micros))
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
    catalog.reprice(new Map([['shop/miss', { micros: later }]]))
    expect(settlePrice(price(catalog, 'miss'), quote, {}, { hit: true })).toBe(20_000)
    expect(settlePrice(price(catalog, 'miss'), quote, {}, { hit: false })).toBe(0)
  }
})

test('an amount or a factor applies to the prices that it fits, and those of the catalog come back', () => {
  const catalog = open()
  const names = ['flat', 'miss', 'agreed', 'varied', 'rows', 'free', 'unknown']
  const textsAt = (override: Override) => {
    catalog.reprice(new Map(names.map((name) => [`shop/${name}`, override])))
    return catalog.entries.map(({ action }) => describePrice(action).text)
  }
  const varied = '2¢, 4¢ with full true'
  expect(textsAt({ micros: 70_000 })).toEqual([
    ...['7¢', '7¢, free on a miss', '7¢', varied, '7¢ per row (7¢ to 21¢)', 'free'],
  ])
  expect(textsAt({ factor: 1_250_000 })).toEqual([
    ...[
      '2¢',
      '2¢, free on a miss',
      '2¢',
      '2.5¢, 5¢ with full true',
      '1¢ per row (1¢ to 3¢)',
      'free',
    ],
  ])
  expect(names.map((name) => catalog.overrideOf(`shop/${name}`) !== undefined)).toEqual([
    ...[false, false, false, true, false, false, false],
  ])
  catalog.reprice(new Map())
  expect(catalog.entries).toEqual(catalog.original.entries)
})

test('the example of an action has its price, and a ceiling that covers it', () => {
  const catalog = open()
  catalog.reprice(new Map([['shop/agreed', { micros: 25_000 }]]))
  const entry = catalog.find('shop', 'agreed')
  expect(entry && describeAction(entry, []).example).toEqual({
    input: { max_cost_cents: 3 },
    cents: 2.5,
  })
})

test('a price that is a cap names what clients of a rail need for it', () => {
  const catalog = open(sold('used', { upToCents: 9, settle: () => 3 }, 9))
  const rail = {
    id: 'chain',
    inPrice: {},
    inCap: { scheme: 'upto' },
    inOpenApi: {},
    offer: { method: 'chain', intent: 'charge', currency: 'USD' },
  } as const
  const protocolsOf = (name: string) => {
    const entry = catalog.find('shop', name)
    return entry && describeAction(entry, [rail]).price.protocols
  }
  expect(protocolsOf('flat')).toEqual([{ chain: {} }])
  expect(protocolsOf('used')).toEqual([{ chain: { scheme: 'upto' } }])
})

test('the array of entries is another one only if a price differs', () => {
  const catalog = open()
  const first = catalog.entries
  catalog.reprice(new Map())
  expect(catalog.entries).toBe(first)
  catalog.reprice(new Map([['shop/flat', { micros: 1 }]]))
  const second = catalog.entries
  expect(second).not.toBe(first)
  catalog.reprice(new Map([['shop/flat', { micros: 1 }]]))
  expect(catalog.entries).toBe(second)
  expect(first[0]?.action.price).toEqual({ cents: 2 })
})
