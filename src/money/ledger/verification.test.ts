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
  await database.query(`update transfer set created_at = created_at - interval '2 days'`)
  await database.query(`update verified_until set at = at - interval '2 days'`)
  const next = account.holdOf(40)
  await ledger.hold(next)
  await account.settle(next.callId, 5)
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true, postings: 4 })
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true, postings: 2 })
  expect(await account.balance()).toEqual({ available: 940, held: 0 })
})

test('a repair and a whole check end what an incremental one finds wrong', async () => {
  const { database, ledger } = await openBooks()
  await ledger.verify()
  await change(database, 1_000, 7)
  await database.transaction((client) => ledger.repair(client))
  expect(await ledger.verify(incremental)).toMatchObject({ ok: false })
  expect(await ledger.verify()).toMatchObject({ ok: true })
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true, postings: 2 })
})

test('checks at once agree while days join those that were found right', async () => {
  const { database, ledger } = await openBooks()
  await ledger.verify()
  for (let times = 0; times < 5; times += 1) {
    await database.query(`update transfer set created_at = created_at - interval '1 day'`)
    await database.query(
      `update verified_until set at = (select min(created_at) from transfer) + interval '1 hour'`,
    )
    await database.query(
      `update verified_sum v set amount = p.amount from (
         select account_id, sum(amount) as amount from (
           select debit as account_id, -amount as amount, created_at from transfer
           union all select credit, amount, created_at from transfer
         ) a where created_at < (select at from verified_until) group by account_id
       ) p where p.account_id = v.account_id`,
    )
    const checks = await Promise.all(Array.from({ length: 4 }, () => ledger.verify(incremental)))
    expect(checks.flatMap(({ problems }) => problems)).toEqual([])
  }
})

test('a call that began long ago and is charged now is compared with its posting', async () => {
  const { database, ledger } = await openBooks()
  await ledger.verify()
  await database.query(
    `update call set id = uuid_floor(date_trunc('day', now()) - interval '9 days') where id = (select call_id from transfer where amount = 25)`,
  )
  await database.query(
    `update transfer set call_id = uuid_floor(date_trunc('day', now()) - interval '9 days') where amount = 25`,
  )
  expect(await ledger.verify(incremental)).toMatchObject({ ok: true })
  await database.query('update call set charged = 26 where charged = 25')
  expect((await ledger.verify(incremental)).problems).toMatchObject([
    { rule: 'a call is charged otherwise than posted', found: '26', expected: '25' },
  ])
})
