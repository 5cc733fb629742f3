// Effects in the database: recorded with their call, undone with it, and compared with it.
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { until } from '#test/until.ts'

async function open() {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  const begin = async () => {
    const callId = uuidv7(clock.now())
    await account.hold(100, { callId })
    return callId
  }
  const voided = (callId: string) =>
    ledger.settle({ callId, accountId: account.accountId, state: 'voided', charged: 0 })
  return { database, ledger, account, begin, voided, ...createThings(database, account.accountId) }
}

/** Repositories stand for all that calls make. */
function createThings(database: Database, accountId: string) {
  return {
    /** Resolves to the state of the call. The row is written only if it is held. */
    make: async (callId: string, { id = uuidv7(clock.now()), place = '' } = {}) =>
      await database.transaction(async (client) => {
        const { rows } = await client.query<{ state: string | null }>(
          `select call_makes($1, $2, 'repository', $3) as state`,
          [callId, place, id],
        )
        if (rows[0]?.state === 'held')
          await client.query(
            'insert into repository (id, account_id, created_at) values ($1, $2, now())',
            [id, accountId],
          )
        return rows[0]?.state
      }),
    things: async () => (await database.query('select id from repository')).length,
  }
}

test('what a call has made stays when it is charged, and goes when it is voided', async () => {
  const { ledger, account, begin, voided, make, things } = await open()
  const [charged, failed] = [await begin(), await begin()]
  for (const callId of [charged, failed, failed]) expect(await make(callId)).toBe('held')
  await account.settle(charged, 100)
  expect(await things()).toBe(3)
  await voided(failed)
  expect(await things()).toBe(1)
  expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })
})

test('recovery undoes what the calls of stopped gateways have made', async () => {
  const { database, ledger, begin, make, things } = await open()
  const callId = await begin()
  await make(callId)
  await database.query('update call set gateway_id = 1000000 where id = $1', [callId])
  expect(await ledger.recover()).toBe(1)
  expect(await things()).toBe(0)
})

test('a call that has ended makes nothing more', async () => {
  const { database, account, begin, voided, make, things } = await open()
  const [charged, failed] = [await begin(), await begin()]
  await account.settle(charged, 100)
  await voided(failed)
  expect(await make(charged)).toBe('settled')
  expect(await make(failed)).toBe('voided')
  expect(await make(uuidv7(clock.now()))).toBeNull()
  expect(await things()).toBe(0)
  expect(await database.query('select 1 from effect')).toEqual([])
})

test('a call cannot end while something is made for it', async () => {
  const { database, begin, voided, make, things } = await open()
  const callId = await begin()
  let ended: Promise<unknown> = Promise.resolve()
  await database.transaction(async (client) => {
    await client.query(`select call_makes($1, '', 'repository', $2)`, [callId, uuidv7(0)])
    ended = voided(callId)
    await until(async () => {
      const waits = await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         union all select 1 from call where state = 'voided'`,
      )
      return waits.length > 0
    })
    const { rows } = await client.query('select state from call where id = $1', [callId])
    expect(rows).toEqual([{ state: 'held' }])
  })
  await ended
  expect(await make(callId)).toBe('voided')
  expect(await things()).toBe(0)
  expect(await database.query('select 1 from effect')).toEqual([])
})

test('a part of a call undoes what it has made, the newest first, and no more', async () => {
  const { database, begin, make, things } = await open()
  const [callId, other] = [await begin(), await begin()]
  await make(other, { place: 'a/' })
  for (const place of ['', 'a/', 'a/1/', 'ab/']) await make(callId, { place })
  await database.query('select undo_effects_at($1, $2)', [callId, 'a/'])
  expect(await things()).toBe(3)
  const left = await database.query<{ place: string }>(
    'select place from effect where call_id = $1 order by id',
    [callId],
  )
  expect(left.map(({ place }) => place)).toEqual(['', 'ab/'])
})

/** A project whose composition was saved as `second` and then as `third`, by these calls. */
async function saveTwice(
  { database, account }: Awaited<ReturnType<typeof open>>,
  calls: readonly [second: string, third: string],
) {
  const id = uuidv7(clock.now())
  await database.query(
    `insert into film_project (id, account_id, name, format, composition, version)
     values ($1, $2, 'n', '{}', '"third"', 3)`,
    [id, account.accountId],
  )
  for (const [callId, before, version] of [
    [calls[0], 'first', 2],
    [calls[1], 'second', 3],
  ])
    await database.query(`select call_makes($1, '', 'composition', $2, $3)`, [
      ...[callId, id, JSON.stringify({ before, version })],
    ])
  return () => database.query('select composition, version from film_project where id = $1', [id])
}

test('what is undone twice over is undone from the newest to the oldest', async () => {
  const opened = await open()
  const callId = await opened.begin()
  const saved = await saveTwice(opened, [callId, callId])
  await opened.voided(callId)
  expect(await saved()).toEqual([{ composition: 'first', version: 1 }])
})

test.for([
  [0, 1],
  [1, 0],
] as const)('saves of two calls are undone in any order (%i, %i)', async (order) => {
  const opened = await open()
  const calls = [await opened.begin(), await opened.begin()] as const
  const saved = await saveTwice(opened, calls)
  for (const place of order) await opened.voided(calls[place])
  expect(await saved()).toEqual([{ composition: 'first', version: 1 }])
})

test('a save that was charged stays when the one before it is undone', async () => {
  const opened = await open()
  const calls = [await opened.begin(), await opened.begin()] as const
  const saved = await saveTwice(opened, calls)
  await opened.account.settle(calls[1], 100)
  await opened.voided(calls[0])
  expect(await saved()).toEqual([{ composition: 'third', version: 3 }])
})

test('what a call that has not ended made is not changed by another call, until it is charged', async () => {
  const { database, account, begin, voided } = await open()
  const make = async (callId: string, kind: string, changes: readonly object[] = []) => {
    const [row] = await database.query<{ state: string }>(
      `select call_makes($1, '', $2, 'the-browser', '{"minutes": 1, "charged": 1}', false, $3) as state`,
      [callId, kind, JSON.stringify(changes)],
    )
    return row?.state
  }
  const browser = [{ kind: 'browser', subject: 'the-browser' }]
  const [maker, extender, late] = [await begin(), await begin(), await begin()]
  expect(await make(maker, 'browser')).toBe('held')
  expect(await make(extender, 'browser_minutes', browser)).toBe('in_use')
  expect(await make(extender, 'browser_minutes', [{ ...browser[0], subject: 'another' }])).toBe(
    'held',
  )
  // A call may change what it has made itself.
  expect(await make(maker, 'browser_minutes', browser)).toBe('held')
  await account.settle(maker, 100)
  expect(await make(extender, 'browser_minutes', browser)).toBe('held')
  await voided(extender)
  expect(await make(late, 'browser_minutes', browser)).toBe('held')
})

test('what was paid by a payment that is being settled can be changed', async () => {
  const { database, account, begin } = await open()
  const [maker, other] = [await begin(), await begin()]
  await database.query(`select call_makes($1, '', 'browser', 'b')`, [maker])
  const isOpen = async () =>
    (await database.query(`select effect_is_open('browser', 'b', $1) as open`, [other]))[0]
  expect(await isOpen()).toEqual({ open: true })
  await database.query(
    `with paid as (
       insert into payment (id, claim_key, rail, account_id, payer, micros, action, request_digest, call_id, state, charged,
         expires_at, dust_micros)
       values ($1, 'claim', 'test', $2, 'payer', 100, 'test/echo', '', $3, 'owed', 100, now(), 0) returning id)
     update call set payment_id = (select id from paid) where id = $3`,
    [uuidv7(clock.now()), account.accountId, maker],
  )
  expect(await isOpen()).toEqual({ open: false })
})

test('verification names what was not charged', async () => {
  const { database, ledger, account, begin, make } = await open()
  const [voided, free, gone] = [await begin(), await begin(), uuidv7(clock.now())]
  for (const callId of [voided, free]) await make(callId)
  await account.settle(free, 0)
  await database.query(
    `insert into effect (call_id, place, kind, subject) values ($1, '', 'inbox', 'a@b.c')`,
    [gone],
  )
  await database.query('alter table call disable trigger undo_effects_of_failed_call')
  await ledger.settle({
    callId: voided,
    accountId: account.accountId,
    state: 'voided',
    charged: 0,
  })
  const { ok, problems } = await ledger.verify()
  expect(ok).toBe(false)
  expect(problems.map(({ rule, found }) => [rule, found]).sort()).toEqual([
    ['what exists was charged nothing', '0'],
    ['what exists was not charged', 'no call'],
    ['what exists was not charged', 'voided'],
  ])
})
