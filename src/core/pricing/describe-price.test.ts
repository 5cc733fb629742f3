import { expect, test } from 'vitest'
import type { AnyPrice } from '../price.ts'
import { describePrice } from './describe-price.ts'

const perUrl: AnyPrice = { cents: 2, per: () => 1, unit: 'URL', atMost: 5 }
const miss: AnyPrice = { cents: 2, used: () => 0 }
const varied: AnyPrice = { cents: 2, variants: [{ when: { full: true }, cents: 4 }] }
const capped: AnyPrice = { upToCents: 9, leastCents: 3, basis: '2¢ per row', settle: () => 3 }
const usual: AnyPrice = { upToCents: 9, usuallyCents: 0, basis: '2¢ per row', settle: () => 3 }
const computed: AnyPrice = {
  centsFor: () => 3,
  fromCents: 3,
  atMostCents: 9,
  basis: '2¢ per row',
}

test.each([
  [1, { cents: 2 }, '1 call a day is free with an account, then 2¢'],
  [3, { cents: 2 }, '3 calls a day are free with an account, then 2¢'],
  [3, miss, '3 calls a day are free with an account, then 2¢, free on a miss'],
  [3, perUrl, '3 calls a day are free with an account, then 2¢ per URL (2¢ to 10¢)'],
  [3, varied, '3 calls a day are free with an account, then 2¢, 4¢ with full true'],
  [3, computed, '3 calls a day are free with an account, then 2¢ per row (3¢ to 9¢)'],
  [3, capped, '3 calls a day are free with an account, then 2¢ per row, at least 3¢, at most 9¢'],
  [3, usual, '3 calls a day are free with an account, then usually free, 2¢ per row, at most 9¢'],
  [3, 'free', 'free'],
] as [number, AnyPrice, string][])(
  'with %i free calls a day, %o is told as "%s"',
  (perDay, price, text) => {
    expect(describePrice({ price, freeCallsPerDay: perDay }).text).toBe(text)
  },
)
