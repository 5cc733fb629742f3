import { expect, test } from 'vitest'
import { type Budget, createBudget, type PageBudget } from './budget.ts'

async function begun(budget: Budget): Promise<PageBudget> {
  const pageBudget = await budget.begin()
  if (pageBudget === undefined) throw new Error('Nothing is left for another page.')
  return pageBudget
}

test('takes only what is there, and gives back what brought nothing', async () => {
  const budget = createBudget(5)
  const page = await begun(budget)
  expect(page.take(4)).toBe(true)
  page.giveBack()
  expect(page.take(6)).toBe(false)
  expect(page.take(5)).toBe(true)
  page.keep(5)
  page.close()
  expect(budget.spentCents()).toBe(5)
})

test('a page that has begun can pay for its first rung, even when other pages take the rest', async () => {
  const budget = createBudget(3)
  const first = await begun(budget)
  const second = await begun(budget)
  expect(first.take(3)).toBe(false)
  expect(first.take(2)).toBe(true)
  expect(second.take(1)).toBe(true)
  expect(second.take(2)).toBe(false)
  first.keep(2)
  second.keep(1)
  first.close()
  second.close()
  expect(budget.spentCents()).toBe(3)
})

test('a page waits for those that may give back, and is not begun when they keep it', async () => {
  const budget = createBudget(1)
  const first = await begun(budget)
  const waiting = [budget.begin(), budget.begin()]
  first.close()
  const second = await waiting[0]
  expect(second?.take(1)).toBe(true)
  second?.keep(1)
  second?.close()
  expect(await waiting[1]).toBeUndefined()
  expect(await budget.begin()).toBeUndefined()
  expect(budget.spentCents()).toBe(1)
})

test('what a page still held when it was closed comes back, and it takes nothing afterwards', async () => {
  const budget = createBudget(4)
  const page = await begun(budget)
  expect(page.take(4)).toBe(true)
  page.close()
  page.keep(4)
  page.close()
  expect(page.take(1)).toBe(false)
  expect(budget.spentCents()).toBe(0)
})
