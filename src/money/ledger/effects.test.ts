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

test('what is undone twice over is undone from the newest to the oldest', async () => {
  const { database, account, begin, voided } = await open()
  const [callId, id] = [await begin(), uuidv7(clock.now())]
  await database.query(
    `insert into film_project (id, account_id, name, format, composition, version)
     values ($1, $2, 'n', '{}', '"third"', 3)`,
    [id, account.accountId],
  )
  for (const [before, version] of [
    ['"first"', 2],
    ['"second"', 3],
  ])
    await database.query(`select call_makes($1, '', 'composition', $2, $3)`, [
      callId,
      id,
      `{"before": ${before}, "version": ${version}}`,
    ])
  await voided(callId)
  expect(await database.query('select composition, version from film_project')).toEqual([
    { composition: 'first', version: 1 },
  ])
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
