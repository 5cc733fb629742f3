// Keys with limits have leases of their own: fast, and never a micro-dollar above the limits.
import { expect, test } from 'vitest'
import { createKeys, type KeyPolicy } from '#accounts/keys/keys.ts'
import { systemClock as clock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'

const fine = { ok: true, problems: [] }

async function openKey(database: Database, ledger: Ledger, policy: KeyPolicy) {
  const account = await openAccount(database, ledger, 1_000_000)
  const keys = createKeys({ database, clock })
  const { accountId } = account
  const { key } = await keys.create({ accountId }, policy)
  const chatOn = (gateway: Ledger, limits = 'as at first') =>
    createChats(gateway, { accountId, keyId: key.id }, { limits })
  const counted = async () => {
    const [row] = await database.query<{ micros: number }>(
      `select micros from key_spend where key_id = $1 and period = 'day'`,
      [key.id],
    )
    return row?.micros
  }
  const warmOn = (gateway: Ledger) => warm(database, chatOn(gateway))
  return { ...account, keys, key, chatOn, counted, warm: warmOn }
}

test('the amount that a key’s lease holds counts against its limits until it is given back', async () => {
  const { database, ledger } = await openLedger()
  const { warm, chatOn, counted, accountId, key } = await openKey(database, ledger, {
    dayMicrosMax: 100_000,
  })
  await warm(ledger)
  const [lease] = await database.query<{ held: number }>(
    'select held from lease where key_id = $1',
    [key.id],
  )
  expect(lease?.held).toBeGreaterThan(0)
  expect(await counted()).toBe(lease?.held)
  const { hold, settle } = chatOn(ledger)
  const { callId } = await hold(10)
  await settle(callId, 7)
  await ledger.catchUp(accountId)
  expect(await counted()).toBe(7)
  expect(await ledger.verify()).toMatchObject(fine)
})

test('concurrent calls on two gateways never exceed the limit of a key, and use all of it', async () => {
  const one = await openLedger()
  const two = await openLedger({ connectionString: one.connectionString })
  const { chatOn, accountId, counted } = await openKey(one.database, one.ledger, {
    dayMicrosMax: 2_000,
    monthMicrosMax: 50_000,
  })
  let spent = 0
  const ask = async (gateway: Ledger) => {
    const { hold, settle } = chatOn(gateway)
    const { callId, outcome } = await hold(10)
    if (outcome !== 'held') return outcome
    await settle(callId, 10)
    spent += 10
    return outcome
  }
  const callers = Array.from({ length: 30 }, async (_, place) => {
    for (let call = 0; call < 12; call += 1) await ask(place % 2 === 0 ? one.ledger : two.ledger)
  })
  await Promise.all(callers)
  expect(spent).toBeLessThanOrEqual(2_000)
  // The unused amount of the other lease is given back in a moment.
  await expect.poll(() => ask(one.ledger)).toBe('key_limit')
  await expect
    .poll(async () => {
      await ask(one.ledger)
      return spent
    })
    .toBe(2_000)
  await Promise.all([one, two].map(({ ledger }) => ledger.catchUp(accountId)))
  const [charged] = await one.database.query<{ micros: number }>(
    'select sum(charged)::bigint as micros from call',
  )
  expect([charged?.micros, await counted()]).toEqual([2_000, 2_000])
  expect(await one.ledger.verify()).toMatchObject(fine)
})

test('the lease of a stopped gateway is given back to the limits of its key', async () => {
  const { connectionString, database, ledger } = await openLedger()
  const stopped = await openLedger({ connectionString })
  const { warm, chatOn, counted } = await openKey(database, ledger, { dayMicrosMax: 10_000 })
  await warm(stopped.ledger)
  const { hold, settle } = chatOn(stopped.ledger)
  const { callId } = await hold(10)
  await database.query('update lease set gateway_id = gateway_id + 1000')
  await ledger.recover()
  expect(await counted()).toBe(0)
  // It was alive after all, with a call under way.
  await settle(callId, 6)
  await expect.poll(counted).toBe(6)
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a call above the key’s limit for one call never runs on its lease', async () => {
  const { database, ledger } = await openLedger()
  const { warm, chatOn } = await openKey(database, ledger, { callMicrosMax: 100 })
  await warm(ledger)
  expect((await chatOn(ledger).hold(101)).outcome).toBe('key_limit')
  expect((await chatOn(ledger).hold(100)).outcome).toBe('held')
})

test.each([
  ['an end', () => ({ expiresAt: new Date(Date.now() + 3_000) }), 'key_invalid'],
  ['a list of other actions', () => ({ actions: ['test/echo'] }), 'action_not_allowed'],
])('a key with %s gets nothing from a lease', async (_what, policy, refusal) => {
  const { database, ledger } = await openLedger()
  const { chatOn } = await openKey(database, ledger, policy())
  await expect
    .poll(async () => (await chatOn(ledger).hold(10)).outcome, { interval: 20 })
    .toBe(refusal)
})

test('new limits apply from the next call, and count the amount that a lease holds', async () => {
  const { database, ledger } = await openLedger()
  const { warm, chatOn, counted, keys, key, accountId } = await openKey(database, ledger, {
    dayMicrosMax: 100_000,
  })
  await warm(ledger)
  const first = await chatOn(ledger).hold(10)
  expect(first.outcome).toBe('held')
  await keys.change({ accountId }, key.id, { dayMicrosMax: 15 })
  // The next request carries the new limits.
  const changed = chatOn(ledger, 'changed')
  expect((await changed.hold(10)).outcome).toBe('key_limit')
  await chatOn(ledger).settle(first.callId, 5)
  await expect.poll(counted).toBe(5)
  expect((await changed.hold(10)).outcome).toBe('held')
  expect((await changed.hold(1)).outcome).toBe('key_limit')
  expect(await ledger.verify()).toMatchObject(fine)
})
