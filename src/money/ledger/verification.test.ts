import { expect, test } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { openAccount, openLedger } from '#test/ledger.ts'

const incremental = { isIncremental: true } as const

/** An account that was charged 30, as if it had been some days ago, and 25 today. */
async function openBooks() {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  const old = account.holdOf(40)
  await ledger.hold(old)
  await account.settle(old.callId, 30)
  await database.query(`update transfer set created_at = created_at - interval '5 days'`)
  const today = account.holdOf(40)
  await ledger.hold(today)
  await account.settle(today.callId, 25)
  return { database, ledger, account }
}

const change = (database: Database, amount: number, by: number) =>
  database.query('update transfer set amount = amount + $2 where amount = $1', [amount, by])

test('days that were found right are not read again', async () => {
  const { ledger } = await openBooks()
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true, since: null, postings: 6 })
  const again = await ledger.verify(incremental)
  expect(again).toMatchObject({ ok: true, postings: 2, problems: [] })
  expect(again.since?.getTime()).toBeLessThanOrEqual(Date.now())
  expect(await ledger.verify()).toMatchObject({ ok: true, since: null, postings: 6 })
})

test('what is wrong today is found all the same, and is not taken for right', async () => {
  const { database, ledger, account } = await openBooks()
  await ledger.verify()
  await change(database, 25, 1)
  for (let times = 0; times < 2; times += 1) {
    const { ok, problems } = await ledger.verify(incremental)
    expect(ok).toBe(false)
    expect(problems.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining([
        'a balance is not the sum of its postings',
        'a call is charged otherwise than posted',
      ]),
    )
  }
  await change(database, 26, -1)
  await database.query('update balance set available = available + 5 where account_id = $1', [
    account.accountId,
  ])
  expect((await ledger.verify(incremental)).problems).toEqual([
    {
      rule: 'a balance is not the sum of its postings',
      subject: account.accountId,
      found: '950',
      expected: '945',
    },
  ])
})

test('what was changed in days that were found right is found by a whole verification only', async () => {
  const { database, ledger } = await openBooks()
  await ledger.verify()
  await change(database, 1_000, 1)
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true })
  expect(await ledger.verify()).toMatchObject({ ok: false })
})

test('days that close later join those that were found right', async () => {
  const { database, ledger, account } = await openBooks()
  await ledger.verify()
  await database.query(`update transfer set created_at = created_at - interval '1 day'`)
  await database.query(`update verified_until set at = at - interval '1 day'`)
  const next = account.holdOf(40)
  await ledger.hold(next)
  await account.settle(next.callId, 5)
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true, postings: 4 })
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true, postings: 2 })
  expect(await account.balance()).toEqual({ available: 940, held: 0 })
})
