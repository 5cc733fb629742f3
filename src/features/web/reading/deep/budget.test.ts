import { expect, test } from 'vitest'
import { type Budget, createBudget, type PageBudget } from './budget.ts'

async function begun(budget: Budget): Promise<PageBudget> {
  const pageBudget = await budget.begin()
  if (pageBudget === undefined) throw new Error('Nothing is left for another page.')
  return pageBudget
}

const cents = (count: number) => count * 10_000

test('takes only what is left, and gives back the price of a rung that read nothing', async () => {
  const budget = createBudget(5)
  const page = await begun(budget)
  expect(page.take(4)).toBe(true)
  page.giveBack()
  expect(page.take(6)).toBe(false)
  expect(page.take(5)).toBe(true)
  page.keep(5)
  page.close()
  expect(budget.spentMicros()).toBe(cents(5))
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
  expect(budget.spentMicros()).toBe(cents(3))
})

test('a page waits while others may give back, and does not begin if they keep what they hold', async () => {
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
  expect(budget.spentMicros()).toBe(cents(1))
})

test('a closed page gives back what it held, and takes nothing afterwards', async () => {
  const budget = createBudget(4)
  const page = await begun(budget)
  expect(page.take(4)).toBe(true)
  page.close()
  page.keep(4)
  page.close()
  expect(page.take(1)).toBe(false)
  expect(budget.spentMicros()).toBe(0)
})

async function readInBatch(budget: Budget) {
  const page = await begun(budget)
  const took = page.take('batch')
  page.keep('batch')
  page.close()
  return took
}

test('pages of a batch cost a cent together, and from the eleventh on a tenth of a cent each', async () => {
  const budget = createBudget(10)
  const spent: number[] = []
  for (let page = 1; page <= 12; page += 1) {
    expect(await readInBatch(budget)).toBe(true)
    spent.push(budget.spentMicros())
  }
  expect(spent).toEqual([...Array(10).fill(10_000), 11_000, 12_000])
})

test('pages of a batch that are read at once cost what they cost one after the other', async () => {
  const budget = createBudget(10)
  const pages = await Promise.all(Array.from({ length: 8 }, () => begun(budget)))
  for (const page of pages) expect(page.take('batch')).toBe(true)
  for (const page of pages) page.keep('batch')
  for (const page of pages) page.close()
  expect(budget.spentMicros()).toBe(cents(1))
})

test('the rest after the last whole cent pays for pages of the batch, one at a time', async () => {
  const budget = createBudget(2)
  for (let page = 0; page < 11; page += 1) await readInBatch(budget)
  const short = await begun(budget)
  expect(short.isShort).toBe(true)
  expect(short.take(1)).toBe(false)
  const next = budget.begin()
  expect(short.take('batch')).toBe(true)
  short.keep('batch')
  short.close()
  const last = await next
  expect(last?.take('batch')).toBe(true)
  last?.close()
  expect(budget.spentMicros()).toBe(12_000)
})

test('with nothing left, a page begins only if the minimum of the batch covers it', async () => {
  const budget = createBudget(2)
  await readInBatch(budget)
  budget.spend(1)
  expect(await readInBatch(budget)).toBe(true)
  expect(budget.spentMicros()).toBe(cents(2))
  for (let page = 2; page < 10; page += 1) await readInBatch(budget)
  expect(await budget.begin()).toBeUndefined()
})
