import { expect, test } from 'vitest'
import type { Catalog } from '#core/catalog.ts'
import { createAccess } from './access.ts'

/** An action whose provider is out of use for today, for a reason of its budget or for another one. */
function accessTo(budget: string | undefined) {
  const provider = { id: 'shop' }
  const service = { id: 'shop', mode: 'unavailable', reason: 'Not today.', provider }
  const entry = { id: 'shop/buy', mode: 'unavailable', service, action: {}, reason: 'Not today.' }
  const catalog = { find: () => entry } as unknown as Catalog
  const unused = {} as Parameters<typeof createAccess>[0]
  return { entry, ...createAccess({ ...unused, catalog, budgets: { reasonOf: () => budget } }) }
}

test('a job that has begun goes on when the budget of its provider is used up, and no new call begins', () => {
  const { entry, resolve } = accessTo('Used up.')
  expect(resolve('shop', 'buy', { isBegun: true })).toBe(entry)
  expect(() => resolve('shop', 'buy')).toThrow('Not today.')
})

test('a job that has begun ends where its provider is out of use for another reason', () => {
  const { resolve } = accessTo(undefined)
  expect(() => resolve('shop', 'buy', { isBegun: true })).toThrow('Not today.')
})
