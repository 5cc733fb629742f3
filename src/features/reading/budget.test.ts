import { expect, test } from 'vitest'
import { createBudget } from './budget.ts'

test('takes only what is there, and gives back what brought nothing', () => {
  const budget = createBudget(5)
  expect(budget.take(4)).toBe(true)
  expect(budget.take(2)).toBe(false)
  budget.giveBack(4)
  expect(budget.take(5)).toBe(true)
  budget.keep(5)
  expect(budget.spentCents()).toBe(5)
})

test('a page waits for those that may give back, and is not begun when they keep it', async () => {
  const budget = createBudget(1)
  budget.take(1)
  const first = budget.reaches()
  budget.giveBack(1)
  expect(await first).toBe(true)
  budget.take(1)
  const second = budget.reaches()
  budget.keep(1)
  expect(await second).toBe(false)
  expect(await budget.reaches()).toBe(false)
})
