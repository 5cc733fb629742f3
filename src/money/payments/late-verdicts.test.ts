// Two gateways may look at one refund. The verdict of the slower one can be about a transaction that the other has
// replaced since.
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { Database } from '#platform/database/database.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createFinalityRecords } from './finality-records.ts'
import { createRefundRecords } from './refund-records.ts'

const validUntilMs = Date.now() + 25_000
const first = { raw: '0xraw1', hash: '0xhash1', signedAtBlock: 10, validUntilMs }
const second = { raw: '0xraw2', hash: '0xhash2', signedAtBlock: 60, validUntilMs }

async function open() {
  const { database, ledger } = await openLedger()
  const { accountId } = await openAccount(database, ledger, 0)
  const id = uuidv7(Date.now())
  await database.query(
    `with paid as (
       insert into payment (id, claim_key, rail, account_id, payer, micros, action, request_digest, call_id, expires_at,
         dust_micros)
       values ($1, 'mpp:1', 'mpp', $2, '0x0', 20000, 'a/b', '\\x00', $1, now(), 0) returning id, call_id)
     insert into refund (id, payment_id, call_id, rail, payee, micros) select $1, id, call_id, 'mpp', '0x0', 20000 from paid`,
    [id, accountId],
  )
  return { database, id, refunds: createRefundRecords(database) }
}

const stateOf = async (database: Database) =>
  (await database.query('select state, raw_tx as raw, finality from refund'))[0]

test('a late verdict on an expired refund leaves the one alone that replaced it', async () => {
  const { database, id, refunds } = await open()
  await refunds.signed(id, first)
  await refunds.dueAgain(id, first.hash)
  expect(await refunds.signed(id, second)).toBe(true)
  await refunds.dueAgain(id, first.hash)
  expect(await stateOf(database)).toMatchObject({ state: 'signed', raw: second.raw })
  expect(await refunds.signed(id, { ...second, raw: '0xraw3', hash: '0xhash3' })).toBe(false)
})

test('a refund is owed again once for each transaction that the chain has lost', async () => {
  const { database, id, refunds } = await open()
  const finality = createFinalityRecords(database)
  await refunds.signed(id, first)
  await refunds.confirmed(id, { hash: first.hash, block: 11 })
  expect(await finality.reopenRefund(id, first.hash)).toBe(true)
  await refunds.signed(id, second)
  await refunds.confirmed(id, { hash: second.hash, block: 61 })
  expect(await finality.reopenRefund(id, first.hash)).toBe(false)
  expect(await stateOf(database)).toMatchObject({ state: 'confirmed', finality: 'open' })
  const posted = await database.query(
    `select kind, count(*)::int as times from transfer where kind like 'refund%' group by kind order by kind`,
  )
  expect(posted).toEqual([
    { kind: 'refund', times: 2 },
    { kind: 'refund_reopened', times: 1 },
  ])
})
