import { expect, test } from 'vitest'
import type { RecordEffect } from '#core/effects/effect.ts'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createVendorEndings, type VendorResource } from './vendor-endings.ts'

/** Records what a step of this call makes. `closes`: the call is a plan. */
const recordOf =
  (callId: string, closes = false): RecordEffect =>
  async (client, { kind, subject, details }) =>
    void (await client.query(`select call_makes($1, 'step/', $2, $3, $4, $5)`, [
      ...[callId, kind, subject, details, closes],
    ]))

async function setUp() {
  const { database, ledger } = await openLedger()
  const { accountId, hold, settle } = await openAccount(database, ledger, 1_000_000)
  const ended: string[] = []
  const open = () => {
    const endings = createVendorEndings({ database, clock, log })
    endings.watch('box', async ({ name }) => {
      ended.push(name)
    })
    return endings
  }
  const first = open()
  /** A paid call that has asked for a resource. */
  const order = async ({ isPlan = false } = {}) => {
    const transactionId = uuidv7(clock.now())
    await hold(1_000, { callId: transactionId })
    await database.query('update call set job = $2 where id = $1', [transactionId, isPlan])
    const call = { transactionId, effect: recordOf(transactionId, isPlan) }
    return { transactionId, name: await first.begin('box', call) }
  }
  const cancel = (callId: string) =>
    ledger.settle({ callId, accountId, state: 'voided', charged: 0 })
  const names = async () => {
    const rows = await database.query<{ name: string }>('select name from vendor_ending')
    return rows.map(({ name }) => name)
  }
  /** As after this time without a round. */
  const pass = (seconds: number) =>
    database.query(
      `update vendor_ending set due_at = due_at - $1 * interval '1 second',
         tried_at = tried_at - $1 * interval '1 second'`,
      [seconds],
    )
  return { database, first, open, order, settle, cancel, names, ended, pass }
}

test('the resource of a charged call is left alone', async () => {
  const { first, order, settle, names, ended } = await setUp()
  const { transactionId } = await order()
  await settle(transactionId, 1_000)
  await first.keepUp('box')
  expect(ended).toEqual([])
  expect(await names()).toEqual([])
})

test('the resource of a running call is left alone', async () => {
  const { first, order, names, ended } = await setUp()
  await order()
  await first.keepUp('box')
  expect(ended).toEqual([])
  expect(await names()).toEqual([])
})

test('the resource of a plan is ended when the plan is charged', async () => {
  const { first, order, settle, names, ended, pass } = await setUp()
  const { transactionId, name } = await order({ isPlan: true })
  await first.keepUp('box')
  expect(ended).toEqual([])
  await settle(transactionId, 1_000)
  await first.keepUp('box')
  expect(ended).toEqual([name])
  await pass(61)
  await first.keepUp('box')
  expect(ended).toEqual([name, name])
  expect(await names()).toEqual([])
})

test('the resource of a step that runs again is ended before its plan is over', async () => {
  const { database, first, order, ended } = await setUp()
  const { transactionId, name } = await order({ isPlan: true })
  await database.query(`select undo_effects_at($1, 'step/')`, [transactionId])
  await first.keepUp('box')
  expect(ended).toEqual([name])
})

test('the resource of a voided call is ended by any gateway, again while a late request may make it', async () => {
  const { first, open, order, cancel, names, ended, pass } = await setUp()
  const { transactionId, name } = await order()
  await cancel(transactionId)
  await open().keepUp('box')
  await first.keepUp('box')
  expect(ended).toEqual([name])
  await pass(6)
  await first.keepUp('box')
  expect(ended).toEqual([name, name])
  expect(await names()).toEqual([name])
  await pass(61)
  await first.keepUp('box')
  expect(ended).toEqual([name, name, name])
  expect(await names()).toEqual([])
})

test('a resource whose id is known is ended once', async () => {
  const { database, first, names } = await setUp()
  const ended: VendorResource[] = []
  first.watch('box', async (resource) => {
    ended.push(resource)
  })
  for (const _time of [1, 2]) await database.query(`select end_at_vendor('box', 'name', 'id')`)
  await first.keepUp('box')
  expect(ended).toEqual([{ name: 'name', id: 'id' }])
  expect(await names()).toEqual([])
})

test('resources that the vendor does not end are tried again, and hold up no other', async () => {
  const { database, first, order, cancel, names, ended, pass } = await setUp()
  await database.query(
    `insert into vendor_ending (name, service, tried_at)
     select 'stuck' || n, 'box', now() from generate_series(1, 50) n`,
  )
  const { transactionId, name: other } = await order()
  await cancel(transactionId)
  await pass(61)
  const isStuck = (name: string) => name.startsWith('stuck')
  first.watch('box', async ({ name }) => {
    ended.push(name)
    if (isStuck(name)) throw new Error('The vendor does not answer.')
  })
  await first.keepUp('box')
  expect(ended).toContain(other)
  expect(ended.filter(isStuck)).toHaveLength(49)
  expect(await names()).toHaveLength(50)
  expect((await names()).every(isStuck)).toBe(true)
})

test('the resource of another vendor waits until that vendor is watched', async () => {
  const { first, order, cancel, ended } = await setUp()
  const { transactionId } = await order()
  const call = { transactionId, effect: recordOf(transactionId) }
  const name = await first.begin('browser', call)
  await cancel(transactionId)
  await first.keepUp('browser')
  expect(ended).not.toContain(name)
  first.watch('browser', async (each) => {
    ended.push(`browser ${each.name}`)
  })
  await first.keepUp('browser')
  expect(ended).toContain(`browser ${name}`)
})

test('a resource that cannot exist any more is forgotten', async () => {
  const { first, order, cancel, names, pass } = await setUp()
  const { transactionId, name } = await order()
  await cancel(transactionId)
  const daySeconds = 24 * 60 * 60
  await pass(daySeconds - 60)
  await first.forgetOld()
  expect(await names()).toEqual([name])
  await pass(61)
  await first.forgetOld()
  expect(await names()).toEqual([])
})

test('rounds run one after the other', async () => {
  const { first, open, order, cancel, ended } = await setUp()
  const { transactionId, name } = await order()
  await cancel(transactionId)
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  first.watch('box', async (each) => {
    asked.resolve()
    await answer.promise
    ended.push(each.name)
  })
  const underWay = first.keepUp('box')
  await asked.promise
  const next = first.keepUp('box').then(() => ended.push('the next round'))
  await open().keepUp('box')
  answer.resolve()
  await Promise.all([underWay, next])
  expect(ended).toEqual([name, 'the next round'])
})

test('a call without a row in the ledger cannot pay in advance', async () => {
  const { first } = await setUp()
  await expect(first.begin('box', { effect: async () => {} })).rejects.toThrow(TypeError)
})
