import { expect, test } from 'vitest'
import type { AnyPrice } from '../price.ts'
import { unitsOf } from './units.ts'

const perRow: AnyPrice = {
  cents: 1,
  unit: 'row',
  atMost: 50,
  per: ({ rows }) => rows,
  used: ({ rows }) => rows,
}

test('an answer counts the units that it delivers, and no more than the call has asked for', () => {
  expect(unitsOf(perRow, { rows: 3 }, { rows: 2 })).toBe(2)
  expect(unitsOf(perRow, { rows: 3 }, { rows: 1_000_000_000 })).toBe(3)
})
