// A plugin is told of every call that ends, however it ends and wherever.
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adminToken, type Gateway, shareGateway, startGateway } from '#test/harness.ts'
import { chat, startLlmGateway } from '#test/llm-gateway.ts'
import { until } from '#test/until.ts'
import { told, toldOf } from './allowance/plugin.ts'
import { bank } from './cash/bank.ts'
import { payByNote } from './cash/pay.ts'

const TOLLWAY_PLUGINS = ['allowance', 'cash']
  .map((name) => path.join(import.meta.dirname, name))
  .join()
const env = { TOLLWAY_PLUGINS, CASH_TILL: bank.open(1_000_000) }
const gateway = shareGateway({ env: { ...env, JOBS_AT_ONCE: '1' } })

/** Has recovery find the account's open call as that of a gateway that was killed. */
async function abandon({ database, app }: Gateway, accountId: string) {
  await database.query(`update call set gateway_id = 999999 where account_id = $1`, [accountId])
  await app.ledger.recover()
}

test('a purchase in doubt is told when the operator resolves it', async () => {
  const account = await gateway().account(100)
  const { body } = await account.call('test/buy', { seller: 'breaks off', max_cost_cents: 20 })
  const { transaction_id: id } = body.data
  await gateway().request('POST', `/api/v1/admin/purchases/${id}`, {
    key: adminToken,
    body: { outcome: 'charge', charged_cents: 7, note: 'It was delivered.' },
  })
  await until(async () => toldOf(account.id).length === 1)
  expect(toldOf(account.id)).toEqual([
    {
      transactionId: id,
      accountId: account.id,
      keyId: expect.any(String),
      action: 'test/buy',
      state: 'settled',
      chargedMicros: 70_000,
    },
  ])
})

test('a job that is cancelled before it began is told as voided', async () => {
  const account = await gateway().account(100)
  await account.call('test/job', { ends: 'gate' })
  await gateway().provider.waiting(1)
  const { body } = await account.call('test/job', {})
  await account.call('tollway/cancel', { job_id: body.data.job_id })
  await until(async () => toldOf(account.id).length === 1)
  expect(toldOf(account.id)).toMatchObject([
    { transactionId: body.data.job_id, state: 'voided', chargedMicros: 0 },
  ])
  gateway().provider.release()
  await until(async () => toldOf(account.id).length === 2)
  expect(toldOf(account.id)[1]).toMatchObject({ state: 'settled', chargedMicros: 25_000 })
})

test('a call that recovery has voided is told once, also if its gateway ends it later', async () => {
  const llm = await startLlmGateway({ env })
  const account = await llm.account(100)
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  llm.upstream.behave('one', async (it) => {
    asked.resolve()
    await gate.promise
    it.answer()
  })
  const answer = chat(llm, account, { model: 'lab/one' })
  await asked.promise
  await abandon(llm, account.id)
  gate.resolve()
  await answer
  await account.call('test/echo', {})
  await until(async () => toldOf(account.id).length === 2)
  expect(toldOf(account.id)).toMatchObject([
    { action: 'llm/chat', state: 'voided', chargedMicros: 0 },
    { action: 'test/echo', state: 'settled', chargedMicros: 20_000 },
  ])
})

test('a call that ends while its gateway stops is told; a payment, by the gateway that settles it', async () => {
  bank.setOpen(false)
  onTestFinished(() => bank.setOpen(true))
  const first = await startGateway({ env })
  const account = await first.account(100)
  const slow = account.call('test/slow', {})
  await first.provider.waiting(1)

  const url = new URL('/api/run/test/echo', first.url)
  const order = { method: 'POST', body: '{}' }
  const leaving = new AbortController()
  const headers = payByNote(await fetch(url, order), bank.open(1_000_000))
  const paying = fetch(url, { ...order, headers, signal: leaving.signal }).catch(() => {})
  const isSettling = async () => {
    const rows = await first.database.query(`select 1 from payment where state = 'settling'`)
    return rows.length === 1
  }
  await until(isSettling)
  leaving.abort()
  await paying
  await first.database.query(`update payment set updated_at = now() - interval '1 minute'`)
  const before = told.length
  await first.close()
  await slow
  expect(told.slice(before)).toMatchObject([{ action: 'test/slow', chargedMicros: 20_000 }])

  bank.setOpen(true)
  await startGateway({ env, databaseUrl: first.databaseUrl })
  await until(async () => told.length === before + 2)
  expect(told.at(-1)).toMatchObject({ action: 'test/echo', keyId: undefined, state: 'settled' })
})

test('a gateway without the plugin leaves its calls to one with it, and lists none without any', async () => {
  const plain = await startGateway()
  const account = await plain.account(100)
  const reports = async () =>
    (await plain.database.query<{ count: number }>('select count(*) from call_report'))[0]?.count
  await account.call('test/echo', {})
  expect(await reports()).toBe(0)
  await startGateway({ env, databaseUrl: plain.databaseUrl })
  const { body } = await account.call('test/echo', {})
  await until(async () => toldOf(account.id).length === 1)
  expect(toldOf(account.id)).toMatchObject([{ transactionId: body.transaction_id }])
})
