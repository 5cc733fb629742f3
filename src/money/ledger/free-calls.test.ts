// The calls of an action that an account has free on a day: a hold takes one, and a call that fails gives it back.
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openAccount, openLedger } from '#test/ledger.ts'

const freePerDay = 2
const action = 'test/counted'

async function openFreeCalls() {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 100)
  const end = (callId: string, state: 'settled' | 'voided') =>
    ledger.settle({ callId, accountId: account.accountId, state, charged: 0 })
  async function begin(more: { readonly idempotencyKey?: string } = {}) {
    const callId = uuidv7(clock.now())
    const { outcome } = await account.hold(0, { callId, action, freePerDay, ...more })
    return { callId, outcome }
  }
  return { database, ledger, account, begin, end }
}

test('as many are held as there are, by any number of calls at once, and one that is over stays taken', async () => {
  const { ledger, account, begin, end } = await openFreeCalls()
  const calls = await Promise.all(Array.from({ length: 6 }, () => begin()))
  expect(calls.map(({ outcome }) => outcome).sort()).toEqual([
    ...Array(4).fill('free_calls_used'),
    ...Array(2).fill('held'),
  ])
  for (const { callId, outcome } of calls) if (outcome === 'held') await end(callId, 'settled')
  expect((await begin()).outcome).toBe('free_calls_used')
  expect(await account.hold(10)).toMatchObject({ outcome: 'held', available: 90 })
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('a call that fails gives its own back, once, to the day on which it began', async () => {
  const { database, begin, end } = await openFreeCalls()
  const [first, second] = [await begin(), await begin()]
  await end(first.callId, 'voided')
  await end(first.callId, 'voided')
  expect((await begin()).outcome).toBe('held')
  expect((await begin()).outcome).toBe('free_calls_used')

  await database.query(`update call set created_at = created_at - interval '1 day' where id = $1`, [
    second.callId,
  ])
  await end(second.callId, 'voided')
  expect((await begin()).outcome).toBe('free_calls_used')
})

test('neither a look at the price nor a call that is answered again takes one', async () => {
  const { ledger, account, begin, end } = await openFreeCalls()
  expect(await ledger.rehearse(account.holdOf(0, { action, freePerDay }))).toMatchObject({
    outcome: 'held',
  })
  const first = await begin({ idempotencyKey: 'the-same' })
  await end(first.callId, 'settled')
  expect((await begin({ idempotencyKey: 'the-same' })).outcome).toBe('replay')
  expect(await ledger.freeCallsTaken(account.accountId, action)).toBe(1)
})

test('a key that may not spend takes none', async () => {
  const { ledger, account } = await openFreeCalls()
  const keyId = uuidv7(clock.now())
  expect(await account.hold(0, { action, freePerDay, keyId })).toMatchObject({
    outcome: 'key_invalid',
  })
  expect(await ledger.freeCallsTaken(account.accountId, action)).toBe(0)
})
