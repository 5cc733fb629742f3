import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelledOf, ticksUpTo } from './scale.ts'

test('ticks begin at zero, reach the largest value, and are few', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (most) => {
      const ticks = ticksUpTo(most)
      expect(ticks[0]).toBe(0)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-6))
      expect(ticks.length).toBeGreaterThanOrEqual(3)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }),
  )
})

test('ticks are round', () => {
  expect([ticksUpTo(37), ticksUpTo(0.9), ticksUpTo(0)]).toEqual([
    [0, 10, 20, 30, 40],
    [0, 0.5, 1],
    [0, 1],
  ])
})

test('the last label is written, and no more than fit', () => {
  expect([...labelledOf(7, 10)]).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect([...labelledOf(30, 5)]).toEqual([5, 11, 17, 23, 29])
})
