import { expect, onTestFinished, test } from 'vitest'
import type { RecordEffect } from '#core/effects/effect.ts'
import { uuidv7 } from '#core/id.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createPrepaid } from './prepaid-resources.ts'

const dayMs = 24 * 60 * 60_000

/** Records what a step of this call makes. `closes`: the call is a plan. */
const recordOf =
  (callId: string, closes = false): RecordEffect =>
  async (client, { kind, subject }) =>
    void (await client.query(`select call_makes($1, 'step/', $2, $3, null, $4)`, [
      ...[callId, kind, subject, closes],
    ]))

async function setUp() {
  const { database, ledger } = await openLedger()
  const { accountId, hold, settle } = await openAccount(database, ledger, 1_000_000)
  const times = { now: systemClock.now() }
  const clock = { ...systemClock, now: () => times.now }
  const ended: string[] = []
  const open = (own: Database = database) => {
    const prepaid = createPrepaid({ database: own, clock, log })
    onTestFinished(prepaid.close)
    prepaid.watch('box', async (name) => {
      ended.push(name)
    })
    return prepaid
  }
  /** A paid call that has asked for a resource. */
  const order = async ({ prepaid = first, isPlan = false } = {}) => {
    const transactionId = uuidv7(systemClock.now())
    await hold(1_000, { callId: transactionId })
    await database.query('update call set job = $2 where id = $1', [transactionId, isPlan])
    const call = { transactionId, effect: recordOf(transactionId, isPlan) }
    return { transactionId, name: await prepaid.begin('box', call, 60) }
  }
  const cancel = (callId: string) =>
    ledger.settle({ callId, accountId, state: 'voided', charged: 0 })
  const names = async () => {
    const rows = await database.query<{ name: string }>('select name from prepaid_resource')
    return rows.map(({ name }) => name)
  }
  const dueSecondsAgo = (callId: string, seconds: number) =>
    database.query(
      `update prepaid_resource set due_at = now() - $2 * interval '1 second' where call_id = $1`,
      [callId, seconds],
    )
  const first = open()
  return { database, first, open, order, settle, cancel, names, ended, times, dueSecondsAgo }
}

test('the resource of a charged call is left alone, and forgotten here', async () => {
  const { first, order, settle, names, ended } = await setUp()
  const { transactionId } = await order()
  await settle(transactionId, 1_000)
  await first.keepUp()
  expect(ended).toEqual([])
  expect(await names()).toEqual([])
})

test('the resource of a call that is charged during a round is left alone', async () => {
  const { database, open, order, settle, ended } = await setUp()
  const { transactionId } = await order()
  let asked = 0
  const query: Database['query'] = async (...given) => {
    const rows = await database.query(...given)
    asked += 1
    if (asked === 1) await settle(transactionId, 1_000)
    return rows as never
  }
  await open({ ...database, query }).keepUp()
  expect(asked).toBeGreaterThan(1)
  expect(ended).toEqual([])
})

test('the resource of a plan is ended when the plan is charged', async () => {
  const { first, order, settle, names, ended, dueSecondsAgo } = await setUp()
  const { transactionId, name } = await order({ isPlan: true })
  await first.keepUp()
  expect(ended).toEqual([])
  await settle(transactionId, 1_000)
  await first.keepUp()
  expect(ended).toEqual([name])
  await dueSecondsAgo(transactionId, 61)
  await first.keepUp()
  expect(ended).toEqual([name, name])
  expect(await names()).toEqual([])
})

test('the resource of a step that runs again is ended before its plan is over', async () => {
  const { database, first, order, ended } = await setUp()
  const { transactionId, name } = await order({ isPlan: true })
  await database.query(`select undo_effects_at($1, 'step/')`, [transactionId])
  await first.keepUp()
  expect(ended).toEqual([name])
})

test('the resource of a running call is left alone, also by other gateways', async () => {
  const { first, open, order, names, ended } = await setUp()
  const { name } = await order()
  await first.keepUp()
  await open().keepUp()
  expect(ended).toEqual([])
  expect(await names()).toEqual([name])
})

test('the resource of a voided call is ended by any gateway, again while a late request may make it', async () => {
  const { first, open, order, cancel, names, ended, dueSecondsAgo } = await setUp()
  const { transactionId, name } = await order()
  await cancel(transactionId)
  await open().keepUp()
  await first.keepUp()
  expect(ended).toEqual([name, name])
  expect(await names()).toEqual([name])
  await dueSecondsAgo(transactionId, 61)
  await first.keepUp()
  expect(ended).toEqual([name, name, name])
  expect(await names()).toEqual([])
})

test('resources that the vendor does not end are tried again, and hold up no other', async () => {
  const { database, first, order, cancel, names, ended, dueSecondsAgo } = await setUp()
  const { transactionId, name: other } = await order()
  await cancel(transactionId)
  await dueSecondsAgo(transactionId, 61)
  const isStuck = (name: string) => name.startsWith('stuck')
  await database.query(
    `insert into prepaid_resource select 'stuck' || n, service, call_id, ends_at, now(), due_at
     from prepaid_resource, generate_series(1, 50) n`,
  )
  first.watch('box', async (name) => {
    ended.push(name)
    if (isStuck(name)) throw new Error('The vendor does not answer.')
  })
  await first.keepUp()
  expect(ended).toContain(other)
  expect(ended.filter(isStuck)).toHaveLength(49)
  expect(await names()).toHaveLength(50)
  expect((await names()).every(isStuck)).toBe(true)
})

test('the resource of another vendor waits until that vendor is watched', async () => {
  const { first, order, cancel, ended } = await setUp()
  const { transactionId } = await order()
  const name = await first.begin('browser', { transactionId, effect: recordOf(transactionId) }, 60)
  await cancel(transactionId)
  await first.keepUp()
  expect(ended).not.toContain(name)
  first.watch('browser', async (each) => {
    ended.push(`browser ${each}`)
  })
  await first.keepUp()
  expect(ended).toContain(`browser ${name}`)
})

test('a resource that cannot exist any more is forgotten', async () => {
  const { first, order, names, times } = await setUp()
  const { name } = await order()
  await first.forgetOld()
  expect(await names()).toEqual([name])
  times.now += 60_000 + dayMs + 1
  await first.forgetOld()
  expect(await names()).toEqual([])
})

test('a call without a row in the ledger cannot pay in advance', async () => {
  const { first, names } = await setUp()
  await expect(first.begin('box', { effect: async () => {} }, 60)).rejects.toThrow(TypeError)
  expect(await names()).toEqual([])
})
