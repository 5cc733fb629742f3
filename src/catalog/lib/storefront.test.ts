import { expect, test } from 'vitest'
import { estimateOrder } from './storefront.ts'

test('an order is quoted from its pieces to its pieces and the highest tax', () => {
  expect(estimateOrder(15_000, 2)).toEqual({ minCents: 30_000, maxCents: 34_500 })
  expect(estimateOrder(9_999, 1)).toEqual({ minCents: 9_999, maxCents: 11_499 })
  expect(estimateOrder(0, 3)).toEqual({ minCents: 0, maxCents: 0 })
})

test('an order of a product without a price is not estimated', () => {
  expect(estimateOrder(undefined, 2)).toBeUndefined()
  expect(estimateOrder(-1, 2)).toBeUndefined()
})
