import { expect, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { openLedger } from '#test/ledger.ts'
import { createProviderBudgets } from './budgets.ts'

test('a budget counts once it is committed, also when it was read meanwhile', async () => {
  const { database } = await openLedger()
  const budgets = createProviderBudgets({ database, clock })
  const budget = { provider: 'weather', callsPerDay: 0, costPerDay: null }
  await database.transaction(async (client) => {
    await budgets.set(budget, client)
    await budgets.follow()
    expect(budgets.reasonOf('weather')).toBe(undefined)
  })
  budgets.forget()
  expect(await budgets.follow()).toBe(true)
  expect(budgets.reasonOf('weather')).toContain('budget of 0 calls a day')
})
