// Limits of a key that change while its sessions are open.
import { expect, test } from 'vitest'
import { createKeys, type KeyPolicy } from '#accounts/keys/keys.ts'
import { createSessionMoney } from '#runner/sessions/session-money.ts'
import { openAccount } from '#test/ledger.ts'
import { oracle, shareSessionGateway } from '#test/sessions/session-gateway.ts'

const shared = shareSessionGateway()
const usedSeconds = 720
const used = oracle({ vcpu: 1 }, usedSeconds)
const micros = 1_000_000

/** A session that has used one cent and holds five, and how its key is changed. */
async function openSession() {
  const gateway = shared()
  const { database, clock, sessions } = gateway
  const account = await openAccount(database, gateway.ledger, micros)
  const id = await gateway.create(account)
  await gateway.pass(usedSeconds, 60)
  return {
    gateway,
    account,
    id,
    async change(policy: KeyPolicy) {
      const { accountId, keyId } = account
      await createKeys({ database, clock }).change({ accountId }, keyId, policy)
      await sessions.keepUp()
    },
  }
}

test.each<[string, KeyPolicy]>([
  ['a call', { callMicrosMax: used / 2 }],
  ['a day', { dayMicrosMax: used / 2 }],
  ['a month', { monthMicrosMax: used / 2 }],
  ['nothing of its action', { actions: ['other/*'] }],
])('a session that has used more than its key may spend now ends: %s', async (_what, policy) => {
  const { gateway, account, id, change } = await openSession()
  await change(policy)
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'closed', closeReason: 'balance' })
  expect(await gateway.charged(id)).toBe(used)
  expect(await account.balance()).toEqual({ available: micros - used, held: 0 })
  expect(await gateway.ledger.verify()).toMatchObject({ ok: true })
})

test.each<[string, KeyPolicy]>([
  ['a call', { callMicrosMax: 2 * used }],
  ['a day', { dayMicrosMax: 2 * used }],
  ['a month', { monthMicrosMax: 2 * used }],
])('a session ends at the lower limit that its key has now: %s', async (_what, policy) => {
  const { gateway, account, id, change } = await openSession()
  await change(policy)
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'open', held: 2 * used })
  expect(await account.balance()).toEqual({ available: micros - 2 * used, held: 2 * used })
  await gateway.pass(usedSeconds - 1, 60)
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'open' })
  await gateway.pass(1)
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'closed', closeReason: 'balance' })
  expect(await gateway.charged(id)).toBe(2 * used)
  expect(await gateway.ledger.verify()).toMatchObject({ ok: true })
})

test('two sessions of a key share its lower limit', async () => {
  const { gateway, account, id, change } = await openSession()
  const other = await gateway.create(account)
  await change({ dayMicrosMax: 2 * used })
  await gateway.pass(usedSeconds, 1)
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'closed' })
  expect(await gateway.rows.get(other)).toMatchObject({ state: 'closed' })
  const charged = (await gateway.charged(id)) + (await gateway.charged(other))
  expect(charged).toBeLessThanOrEqual(2 * used)
})

test('a limit that is set on the day after counts for the call that began the day before', async () => {
  const { gateway, account, id, change } = await openSession()
  await gateway.database.query(
    `update call set created_at = created_at - interval '1 day' where id = $1`,
    [id],
  )
  await change({ dayMicrosMax: 10 * used })
  await gateway.pass(20 * usedSeconds, 60)
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'closed', closeReason: 'balance' })
  expect(await gateway.charged(id)).toBe(10 * used)
  expect(await account.balance()).toEqual({ available: micros - 10 * used, held: 0 })
  expect(await gateway.ledger.verify()).toMatchObject({ ok: true })
})

test('a higher limit keeps the session open', async () => {
  const { gateway, id, change } = await openSession()
  await change({ dayMicrosMax: 6 * used })
  await gateway.pass(usedSeconds, 60)
  await change({ dayMicrosMax: 20 * used })
  await gateway.pass(10 * usedSeconds, 60)
  expect(await gateway.rows.get(id)).toMatchObject({ state: 'open' })
})

test('a session whose hold is lowered while another gateway closes it is settled', async () => {
  const { gateway, account, id } = await openSession()
  const { database, clock, ledger, rows } = gateway
  const { accountId, keyId } = account
  const row = await rows.get(id)
  if (row === undefined) throw new Error('The session has no row.')
  await createKeys({ database, clock }).change({ accountId }, keyId, { callMicrosMax: 1 })
  expect(await ledger.fit(id, used - 1_000)).toBe(used - 1_000)
  await createSessionMoney({ ledger, rows, clock }).settle(row)
  expect(await gateway.charged(id)).toBe(used - 1_000)
  expect(await account.balance()).toMatchObject({ held: 0 })
})
