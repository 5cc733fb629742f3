import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { until } from '#test/until.ts'
import { holdRecord } from './records.ts'

describe('hold and settle', () => {
  test('repeating either changes nothing', async () => {
    const { database, ledger } = await openLedger()
    const account = await openAccount(database, ledger, 100)
    const callId = uuidv7(clock.now())
    for (let times = 0; times < 3; times += 1) {
      expect(await account.hold(60, { callId })).toMatchObject({ outcome: 'held', available: 40 })
    }
    for (let times = 0; times < 3; times += 1) {
      expect(await account.settle(callId, 25)).toEqual({ outcome: 'done', available: 75 })
    }
    expect(await account.balance()).toEqual({ available: 75, held: 0 })
    expect(await ledger.verify()).toMatchObject({ ok: true, postings: 4 })
  })

  test('a charge above the hold is not made', async () => {
    const { database, ledger } = await openLedger()
    const account = await openAccount(database, ledger, 100)
    const callId = uuidv7(clock.now())
    await account.hold(10, { callId })
    expect(await account.settle(callId, 11)).toMatchObject({ outcome: 'gone' })
    expect(await account.balance()).toEqual({ available: 90, held: 10 })
  })

  test('a settlement after the void charges nothing', async () => {
    const { database, ledger } = await openLedger()
    const account = await openAccount(database, ledger, 100)
    const callId = uuidv7(clock.now())
    await account.hold(10, { callId })
    await ledger.settle({ callId, accountId: account.accountId, state: 'voided', charged: 0 })
    expect(await account.settle(callId, 10)).toMatchObject({ outcome: 'gone' })
    expect(await account.balance()).toEqual({ available: 100, held: 0 })
  })

  test('a failed call ends although its message has characters that PostgreSQL refuses', async () => {
    const { database, ledger } = await openLedger()
    const account = await openAccount(database, ledger, 100)
    const callId = uuidv7(clock.now())
    await account.hold(10, { callId })
    const { accountId } = account
    const message = 'U+0000: \0, half a character: \ud83d'
    const ending = { callId, accountId, state: 'voided', charged: 0, message } as const
    expect(await ledger.settle(ending)).toMatchObject({ outcome: 'done' })
    expect(await account.balance()).toEqual({ available: 100, held: 0 })
  })

  test('an operation that the database refuses fails alone', async () => {
    const { database, ledger } = await openLedger()
    const account = await openAccount(database, ledger, 1_000)
    const outcomes = await Promise.allSettled([
      account.hold(10),
      account.hold(10, { callId: 'not a uuid' }),
      account.hold(10),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(await account.balance()).toEqual({ available: 980, held: 20 })
  })

  test('no balance is negative and the books are right after any events in any order', async () => {
    const { database, ledger } = await openLedger({ inFlightMax: 5 })
    const operation = fc.record({
      kind: fc.constantFrom('hold', 'settle', 'void', 'repeat', 'credit'),
      who: fc.nat(2),
      amount: fc.integer({ min: 0, max: 60 }),
      key: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
        const accounts = await Promise.all(
          [100, 50, 0].map((micros) => openAccount(database, ledger, micros)),
        )
        const open: { callId: string; account: (typeof accounts)[number]; held: number }[] = []
        const steps = operations.map(async ({ kind, who, amount, key }) => {
          const account = accounts[who]
          if (account === undefined) return
          if (kind === 'credit' && amount > 0)
            await ledger.credit(account.accountId, amount, 'test')
          if (kind === 'hold') {
            const callId = uuidv7(clock.now())
            const held = await account.hold(amount, {
              callId,
              ...(key === undefined ? {} : { idempotencyKey: key }),
            })
            if (held.outcome === 'held') open.push({ callId, account, held: amount })
          }
          const call = kind === 'repeat' ? open[0] : open.shift()
          if (call === undefined || kind === 'hold' || kind === 'credit') return
          if (kind === 'void') {
            await ledger.settle({
              callId: call.callId,
              accountId: call.account.accountId,
              state: 'voided',
              charged: 0,
            })
          } else await call.account.settle(call.callId, Math.min(amount, call.held))
        })
        await Promise.all(steps)
        expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })
      }),
      { numRuns: 25 },
    )
  })
})

describe('recovery', () => {
  test('voids the open calls of a stopped gateway, and none of a live one', async () => {
    const { connectionString, database, ledger } = await openLedger()
    const stopped = await openLedger({ connectionString })
    const account = await openAccount(database, ledger, 100)
    const living = uuidv7(clock.now())
    await account.hold(10, { callId: living })
    const { keyId } = await lastKey(database)
    await stopped.ledger.hold({
      callId: uuidv7(clock.now()),
      accountId: account.accountId,
      keyId,
      action: 'test/echo',
      micros: 20,
      lifetimeMs: 60_000,
    })
    expect(await ledger.recover()).toBe(0)
    await stopped.ledger.close()
    expect(await ledger.recover()).toBe(1)
    expect(await account.balance()).toEqual({ available: 90, held: 10 })
    expect(await account.settle(living, 10)).toMatchObject({ outcome: 'done' })
  })

  test('voids a hold past its deadline, of any gateway', async () => {
    const { database, ledger } = await openLedger()
    const account = await openAccount(database, ledger, 100)
    await account.hold(10, { lifetimeMs: -1 })
    expect(await ledger.recover()).toBe(1)
    expect(await account.balance()).toEqual({ available: 100, held: 0 })
  })
})

test('connections that break under load lose no call and charge none twice', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000_000)
  let breaks = 0
  const breaking = (async () => {
    while (breaks < 10) {
      const killed = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like '%ledger_commit%'`,
      )
      breaks += killed.length
      await clock.sleep(30)
    }
  })()
  let calls = 0
  const callers = Array.from({ length: 50 }, async () => {
    while (breaks < 10) {
      const callId = uuidv7(clock.now())
      expect(await account.hold(10, { callId })).toMatchObject({ outcome: 'held' })
      expect(await account.settle(callId, 7)).toMatchObject({ outcome: 'done' })
      calls += 1
    }
  })
  await Promise.all([breaking, ...callers])
  expect(await account.balance()).toEqual({ available: 1_000_000 - calls * 7, held: 0 })
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('two gateways on one database: one balance, never negative, no deadlock', async () => {
  const one = await openLedger()
  const two = await openLedger({ connectionString: one.connectionString })
  const accounts = await Promise.all(
    [200, 200, 200].map((micros) => openAccount(one.database, one.ledger, micros)),
  )
  const keys = await one.database.query<{ id: string; account_id: string }>(
    'select id, account_id from api_key',
  )
  const outcomes = await Promise.all(
    Array.from({ length: 240 }, async (_, turn) => {
      const ledger = turn % 2 === 0 ? one.ledger : two.ledger
      const accountId = accounts[turn % 3]?.accountId ?? ''
      const keyId = keys.find((key) => key.account_id === accountId)?.id ?? ''
      const callId = uuidv7(clock.now())
      const held = await ledger.hold({
        callId,
        accountId,
        keyId,
        action: 'test/echo',
        micros: 10,
        lifetimeMs: 60_000,
      })
      if (held.outcome === 'held')
        await ledger.settle({ callId, accountId, state: 'settled', charged: 10 })
      return held.outcome
    }),
  )
  expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(60)
  for (const account of accounts) expect(await account.balance()).toEqual({ available: 0, held: 0 })
  expect(await one.ledger.verify()).toMatchObject({ ok: true })
})

async function lastKey(database: Database) {
  const [row] = await database.query<{ keyId: string }>(
    'select id as "keyId" from api_key order by id desc limit 1',
  )
  return { keyId: row?.keyId ?? '' }
}

describe('a server that lagged behind takes over', () => {
  async function forget(database: Database, callId: string) {
    await database.query(
      `with gone as (delete from call where id = $1 returning account_id, held),
         day as (update inference_day d set held = d.held - gone.held from gone where d.account_id = gone.account_id)
       update balance b set available = available + gone.held, held = b.held - gone.held, in_flight = in_flight - 1
       from gone where b.account_id = gone.account_id`,
      [callId],
    )
  }

  test('a chat whose hold it does not have is charged, because its caller has the answer', async () => {
    const { ledger, database } = await openLedger()
    const account = await openAccount(database, ledger, 1_000)
    const hold = account.holdOf(400, { inference: true, mayUseLease: true })
    await ledger.hold(hold)
    await forget(database, hold.callId)
    expect(await account.settle(hold.callId, 30)).toEqual({ outcome: 'done', available: 970 })
    expect(await account.balance()).toEqual({ available: 970, held: 0 })
    expect(await ledger.verify()).toMatchObject({ ok: true })
  })

  test('any other call whose hold it does not have is not charged, and fails', async () => {
    const { ledger, database } = await openLedger()
    const account = await openAccount(database, ledger, 1_000)
    const hold = account.holdOf(400)
    await ledger.hold(hold)
    await forget(database, hold.callId)
    expect(await account.settle(hold.callId, 30)).toMatchObject({ outcome: 'gone' })
    expect(await account.balance()).toEqual({ available: 1_000, held: 0 })
    expect(await ledger.verify()).toMatchObject({ ok: true })
  })
})

describe('a gateway without its connections', () => {
  const loseConnections = async (database: Database, gatewayNumber: number) =>
    await database.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objsubid = 2 and objid::bigint = $1
         and database = (select oid from pg_database where datname = current_database())`,
      [gatewayNumber],
    )

  test('keeps its calls when it comes back within a moment', async () => {
    const one = await openLedger()
    const account = await openAccount(one.database, one.ledger, 1_000)
    const hold = account.holdOf(400)
    await one.ledger.hold(hold)
    await loseConnections(one.database, one.ledger.gatewayNumber)
    // A gateway that starts looks for what others have left.
    const other = await openLedger({ connectionString: one.connectionString })
    await other.ledger.recover()
    expect(await account.settle(hold.callId, 30)).toEqual({ outcome: 'done', available: 970 })
  })

  test('is taken for dead when it does not, and its calls are voided', async () => {
    const { database, ledger, connectionString } = await openLedger()
    const account = await openAccount(database, ledger, 1_000)
    await database.query(`select note_gateway(9000, null)`)
    const { callId } = account.holdOf(400)
    await database.query(
      `select ledger_hold(9000, jsonb_populate_record(null::hold_request, $1), 100)`,
      [holdRecord({ ...account.holdOf(400), callId })],
    )
    expect(await account.balance()).toEqual({ available: 600, held: 400 })
    await openLedger({ connectionString })
    expect(await account.balance()).toEqual({ available: 1_000, held: 0 })
  })
})

test('a gateway of the version before finds that a newer one is dead', async () => {
  const server = await openLedger()
  const account = await openAccount(server.database, server.ledger, 1_000)
  const { database } = server
  await database.query('select note_gateway(9000, null)')
  const hold = account.holdOf(400)
  await database.query(
    'select ledger_hold(9000, jsonb_populate_record(null::hold_request, $1), 100)',
    [holdRecord(hold)],
  )
  // No gateway of this version is left that looks for others.
  await server.ledger.close()
  const asked = () => database.query<{ id: string }>('select id from abandoned_calls(100, 1)')
  expect(await asked()).toEqual([])
  await until(async () => (await asked()).length > 0)
  expect(await asked()).toEqual([{ id: hold.callId }])
})

test('a gateway starts while others start and end again and again', async () => {
  const { database, connectionString } = await openLedger()
  let number = 9_000
  const start = () => {
    number += 1
    return database.query('select note_gateway($1, null)', [number])
  }
  await start()
  const starts = setInterval(() => void start(), 200)
  onTestFinished(() => clearInterval(starts))
  await openLedger({ connectionString })
  clearInterval(starts)
})

test('a number that a living gateway has is not taken again', async () => {
  const { ledger, database, connectionString } = await openLedger()
  await database.query(`select setval('gateway_number', $1, false)`, [ledger.gatewayNumber])
  const other = await openLedger({ connectionString })
  expect(other.ledger.gatewayNumber).toBe(ledger.gatewayNumber + 1)
})
