import { expect, test } from 'vitest'
import { type Action, defineAction, z } from '#core/action.ts'
import type { AnyPrice } from '#core/price.ts'
import type { RailTerms } from '#core/pricing/describe-price.ts'
import type { Override } from '#core/pricing/override.ts'
import { priceWarnings } from './plan-warnings.ts'

const sold = (price: AnyPrice): Action =>
  defineAction('rows', {
    summary: 'Answer rows.',
    input: z.strictObject({}),
    output: z.looseObject({}),
    price,
    example: { input: {}, cents: 2 },
    run: () => ({}),
  })

const perRow = (cents: number): AnyPrice => ({
  upToCents: cents * 10,
  basis: `${cents}¢ per row`,
  settle: () => cents,
})
const own = 'A price that you have set yourself for shop/rows'

test.each([
  [
    { cents: 2 },
    { cents: 3 },
    { micros: 50_000 },
    'is in force. Callers pay now: 5¢. After this: 5¢.',
  ],
  [undefined, { cents: 3 }, { micros: 50_000 }, 'is in force. Callers will pay: 5¢.'],
  [
    perRow(1),
    perRow(2),
    { factor: 2_000_000 },
    'is in force. Callers pay now: 2 times 1¢ per row, at most 20¢. After this: 2 times 2¢ per row, at most 40¢.',
  ],
  [
    { cents: 2 },
    perRow(2),
    { micros: 50_000 },
    'is in force, and does not fit the new price. Callers pay now: 5¢. After this: 2¢ per row, at most 20¢.',
  ],
  [
    perRow(2),
    { cents: 2 },
    { micros: 50_000 },
    'is not in force now, and fits the new price. Callers pay now: 2¢ per row, at most 20¢. After this: 5¢.',
  ],
] as [AnyPrice | undefined, AnyPrice, Override, string][])(
  'what callers pay from %o to %o at the operator’s own price %o: %s',
  (before, price, override, told) => {
    const offered = [{ id: 'shop/rows', action: sold(price), before: before && sold(before) }]
    const overrides = new Map([['shop/rows', override]])
    expect(priceWarnings(offered, { overrides, rails: [] })).toEqual([`${own} ${told}`])
  },
)

test('a price of the operator that fits neither price is not told', () => {
  const offered = [{ id: 'shop/rows', action: sold('free'), before: sold('free') }]
  const overrides = new Map([['shop/rows', { micros: 50_000 }]])
  expect(priceWarnings(offered, { overrides, rails: [] })).toEqual([])
})

const rail = (id: string, more: Partial<RailTerms>): RailTerms => ({
  id,
  inPrice: {},
  inOpenApi: {},
  offer: { method: id, intent: 'charge', currency: 'USD' },
  ...more,
})
const about = 'What a call of shop/rows costs is known only after it'

test.each([
  ['no rail', [], []],
  ['a rail for all prices', [rail('cash', {})], []],
  [
    'a rail for exact prices alone',
    [rail('chain', { exactOnly: true, aboutCaps: 'It pays an exact amount.' })],
    [
      `${about}, so wallets cannot pay it by chain. It pays an exact amount. So only callers with an API key can call it.`,
    ],
  ],
  [
    'another rail beside it',
    [rail('chain', { exactOnly: true }), rail('cash', {})],
    [`${about}, so wallets cannot pay it by chain. They can pay it by cash.`],
  ],
  [
    'a rail with a scheme of its own for caps',
    [rail('chain', { aboutCaps: 'By chain, clients need its scheme.' })],
    [`${about}. By chain, clients need its scheme.`],
  ],
] as [string, RailTerms[], string[]][])(
  'a price that counts the answer is told to the operator who has %s',
  (_title, rails, warnings) => {
    const told = (price: AnyPrice) =>
      priceWarnings([{ id: 'shop/rows', action: sold(price) }], { overrides: new Map(), rails })
    expect(told(perRow(2))).toEqual(warnings)
    expect(told({ cents: 2 })).toEqual([])
  },
)

test('many actions are told in one sentence', () => {
  const offered = Array.from({ length: 7 }, (_, at) => ({
    id: `shop/${at}`,
    action: sold(perRow(2)),
  }))
  const rails = [rail('chain', { exactOnly: true })]
  const [warning] = priceWarnings(offered, { overrides: new Map(), rails })
  expect(warning).toContain('shop/0, shop/1, shop/2, shop/3, shop/4 or 2 more costs')
})
