import { appendFile, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import { systemClock as clock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { holdUp, waiting } from '../../../test/simulation/held-statements.ts'
import { openLeaseJournal } from './journal.ts'

async function heldByLeases(database: Database): Promise<number> {
  const [row] = await database.query<{ held: number }>(
    'select coalesce(sum(held), 0)::bigint as held from lease',
  )
  return row?.held ?? 0
}

/**
 * Makes the database refuse this change until `drop trigger refuse`. Resolves to a function that counts the refusals.
 */
async function refuseEach(
  database: Database,
  change: string,
  { on, code }: { on: string; code: string },
) {
  await database.query('create sequence refusals')
  await database.query(
    `create function refuse() returns trigger language plpgsql as $$
     begin perform nextval('refusals'); raise 'not now' using errcode = '${code}'; end $$`,
  )
  await database.query(
    `create trigger refuse before ${change} on ${on} for each row execute function refuse()`,
  )
  return async () => {
    const [row] = await database.query<{ refusals: number }>(
      'select last_value::integer as refusals from refusals where is_called',
    )
    return row?.refusals ?? 0
  }
}

const fine = { ok: true, problems: [] }

test('a second call opens a lease; its calls are charged one by one, and it closes when idle', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  for (let call = 0; call < 20; call += 1) {
    const { callId, outcome } = await hold(10)
    expect(outcome).toBe('held')
    void settle(callId, 7)
  }
  await ledger.catchUp(account.accountId)
  const [charged] = await database.query(
    `select count(*)::integer as calls, sum(charged)::integer as micros from call where charged > 0 and state = 'settled'`,
  )
  expect(charged).toEqual({ calls: 20, micros: 140 })
  expect(await ledger.verify()).toMatchObject(fine)
  await expect.poll(() => database.query('select * from lease')).toEqual([])
  expect(await account.balance()).toEqual({ available: 99_860, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('the database holds the amount of a call on a lease before the call runs', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  const open: string[] = []
  for (let call = 0; call < 300; call += 1) {
    const { callId, outcome } = await hold(10)
    if (outcome === 'held') open.push(callId)
    const { held = 0 } = (await account.balance()) ?? {}
    expect(held).toBeGreaterThanOrEqual(open.length * 10)
  }
  expect(open.length).toBeGreaterThan(250)
  await Promise.all(open.map((callId) => settle(callId, 10)))
  await ledger.catchUp(account.accountId)
  expect(await account.balance()).toEqual({ available: 100_000 - open.length * 10, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a call is not refused because the account’s own lease holds an unused amount', async () => {
  const { database, ledger } = await openLedger({ inFlightMax: 16 })
  const account = await openAccount(database, ledger, 1_000)
  await warm(database, createChats(ledger, account))
  expect(await account.hold(1_000)).toMatchObject({ outcome: 'held' })
  expect(await account.balance()).toEqual({ available: 0, held: 1_000 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('what a turn brings while the account is read is given back first', async () => {
  // Time stands still, so the lease stays open, and a reader waits as long as it takes.
  const nowMs = clock.now()
  const still: Clock = {
    now: () => nowMs,
    sleep: (ms, signal) => (ms < 1_000 ? clock.sleep(ms, signal) : new Promise(() => {})),
  }
  const { database, ledger } = await openLedger({ clock: still })
  const account = await openAccount(database, ledger, 100_000)
  const { hold, settle } = createChats(ledger, account)
  await settle((await hold(10)).callId, 0)
  const release = await holdUp(database, 'trigger hold_up before insert on lease')
  const second = hold(10)
  await waiting(database)
  const read = ledger.catchUp(account.accountId)
  await release()
  await settle((await second).callId, 0)
  await read
  const shown = await database.query('select held, in_flight from balance where account_id = $1', [
    account.accountId,
  ])
  expect(shown).toEqual([{ held: 0, in_flight: 0 }])
  expect(await ledger.verify()).toMatchObject(fine)
})

test('calls on leases and calls held by themselves together stay within the account’s limit at once', async () => {
  const { database, ledger } = await openLedger({ inFlightMax: 20 })
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  const calls = await Promise.all(Array.from({ length: 60 }, () => hold(10)))
  const held = calls.filter(({ outcome }) => outcome === 'held')
  expect(held).toHaveLength(20)
  await Promise.all(held.map(({ callId }) => settle(callId, 1)))
  expect(await ledger.verify()).toMatchObject(fine)
})

test('concurrent calls never exceed a daily cap, and use all of it', async () => {
  const { database, ledger } = await openLedger({ inferenceDayMicrosMax: 1_000 })
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  let served = 0
  const callers = Array.from({ length: 30 }, async () => {
    for (let call = 0; call < 10; call += 1) {
      const { callId, outcome } = await hold(10)
      if (outcome !== 'held') continue
      served += 1
      await settle(callId, 10)
    }
  })
  await Promise.all(callers)
  for (let call = 0; served < 100 && call < 200; call += 1) {
    const { callId, outcome } = await hold(10)
    if (outcome !== 'held') continue
    served += 1
    await settle(callId, 10)
  }
  expect(served).toBe(100)
  expect((await hold(10)).outcome).toBe('inference_cap')
  const [day] = await database.query('select spent, held from inference_day')
  expect(day).toEqual({ spent: 1_000, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('the books are right after any events in any order on two gateways', async () => {
  const one = await openLedger({ inFlightMax: 8, inferenceDayMicrosMax: 2_000 })
  const two = await openLedger({ connectionString: one.connectionString, inFlightMax: 8 })
  const step = fc.record({
    kind: fc.constantFrom('chat', 'chat', 'chat', 'end', 'end', 'fail', 'call', 'pause', 'look'),
    gateway: fc.constantFrom(one.ledger, two.ledger),
    amount: fc.integer({ min: 0, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const account = await openAccount(one.database, one.ledger, 1_000)
      const open: { end: (charged: number) => Promise<unknown>; micros: number }[] = []
      const work = steps.map(async ({ kind, gateway, amount }) => {
        const { hold, settle } = createChats(gateway, account)
        if (kind === 'pause') await clock.sleep(amount)
        if (kind === 'look') await gateway.catchUp(account.accountId)
        if (kind === 'call') {
          const held = await account.hold(amount)
          if (held.outcome === 'held') open.push({ end: async () => {}, micros: 0 })
        }
        if (kind === 'chat') {
          const { callId, outcome } = await hold(amount)
          if (outcome === 'held')
            open.push({ end: (charged) => settle(callId, charged), micros: amount })
        }
        if (kind === 'end' || kind === 'fail') {
          const call = open.shift()
          await call?.end(kind === 'fail' ? 0 : Math.min(amount, call.micros))
        }
      })
      await Promise.all(work)
      await Promise.all(open.map(({ end, micros }) => end(micros)))
      await one.ledger.catchUp(account.accountId)
      expect(await one.ledger.verify()).toMatchObject(fine)
    }),
    { numRuns: 25 },
  )
})

test('broken connections lose no call and charge none twice', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 10_000_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  let breaks = 0
  const breaking = (async () => {
    while (breaks < 10) {
      const killed = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query like '%lease_commit%'`,
      )
      breaks += killed.length
      await clock.sleep(30)
    }
  })()
  let calls = 0
  const callers = Array.from({ length: 50 }, async () => {
    while (breaks < 10) {
      const { callId, outcome } = await hold(10)
      expect(outcome).toBe('held')
      expect(await settle(callId, 7)).toMatchObject({ outcome: 'done' })
      calls += 1
    }
  })
  await Promise.all([breaking, ...callers])
  await expect.poll(() => account.balance()).toEqual({ available: 10_000_000 - calls * 7, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a call that the database refuses to write fails alone and costs nothing', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  const calls = await Promise.all([hold(10), hold(10), hold(10)])
  const timelines = ['{}', '{"x":"\\u0000"}', '{}']
  await Promise.all(
    calls.map(({ callId }, place) => settle(callId, 5, { timeline: timelines[place] })),
  )
  await expect.poll(() => account.balance()).toEqual({ available: 99_990, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test.each(['update', 'delete'])(
  'a lease whose %s the database refuses for a while closes once it is accepted',
  async (change) => {
    const { database, ledger } = await openLedger()
    const account = await openAccount(database, ledger, 100_000)
    await warm(database, createChats(ledger, account))
    const { hold, settle } = createChats(ledger, account)
    const { callId } = await hold(10)
    const refusals = await refuseEach(database, change, { on: 'lease', code: 'P0001' })
    if (change === 'delete') await settle(callId, 5)
    else void ledger.catchUp(account.accountId)
    await expect.poll(refusals).toBeGreaterThan(0)
    await database.query('drop trigger refuse on lease')
    if (change === 'update') await settle(callId, 5)
    await expect.poll(() => account.balance()).toEqual({ available: 99_995, held: 0 })
    expect(await database.query('select * from lease')).toEqual([])
    expect(await ledger.verify()).toMatchObject(fine)
  },
)

test('the lease of a stopped gateway is given back', async () => {
  const { connectionString, database, ledger } = await openLedger()
  const stopped = await openLedger({ connectionString })
  const account = await openAccount(database, ledger, 1_000)
  await warm(database, createChats(stopped.ledger, account))
  const held = await heldByLeases(database)
  await database.query('update lease set gateway_id = (select max(gateway_id) + 1000 from lease)')
  await ledger.recover()
  expect(held).toBeGreaterThan(0)
  expect(await account.balance()).toEqual({ available: 1_000, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a call that a killed gateway had on file is charged once, to its lease or to the remaining balance', async () => {
  const { connectionString, journalDirectory, database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 100)
  const journal = openLeaseJournal({ directory: journalDirectory, gatewayNumber: 2_000, log })
  const lease = uuidv7(clock.now())
  await database.query(
    `with t as (insert into lease (id, gateway_id, account_id, action, held, places) values ($1, 2000, $2, 'llm/chat', 40, 1)),
       d as (insert into inference_day (account_id, day, held) values ($2, (now() at time zone 'utc')::date, 40))
     update balance set available = available - 40, held = held + 40, in_flight = in_flight + 1 where account_id = $2`,
    [lease, account.accountId],
  )
  const append = (more: object) => {
    const call = {
      lease,
      gateway: 2_000,
      id: uuidv7(clock.now()),
      account: account.accountId,
      key: account.keyId,
      action: 'llm/chat',
      state: 'settled',
      held: 30,
      charged: 25,
      timeline: {},
      started_ms: clock.now(),
      ...more,
    }
    return journal.append(JSON.stringify(call))
  }
  const id = uuidv7(clock.now())
  await append({ id })
  await append({ id })
  await append({ lease: uuidv7(clock.now()), id: uuidv7(clock.now()), held: 90, charged: 90 })
  await append({ account: uuidv7(clock.now()) })
  const file = path.join(journalDirectory, '2000-1.jsonl')
  await appendFile(file, '{"cut off')
  await openLedger({ connectionString, journalDirectory })
  // 25 from the lease, whose other 15 were returned afterwards, and 60 of the 90: the balance at that moment.
  expect(await account.balance()).toEqual({ available: 15, held: 0 })
  const charges = await database.query('select charged from call order by charged')
  expect(charges).toEqual([{ charged: 25 }, { charged: 60 }])
  expect(await ledger.verify()).toMatchObject(fine)
  expect(await readdir(journalDirectory)).toEqual([])
})

test('a call that ended on a lease released meanwhile is still charged', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  const [first, second, third] = await Promise.all([hold(10), hold(10), hold(10)])
  await database.query('update lease set gateway_id = gateway_id + 1000')
  await ledger.recover()
  await Promise.all([first, second].map((call) => settle(call?.callId ?? '', 5)))
  const charged = (micros: number) =>
    expect.poll(() => account.balance()).toEqual({ available: 1_000 - micros, held: 0 })
  await charged(10)
  await settle(third?.callId ?? '', 5)
  await charged(15)
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a call that ended on such a lease while the database was down is charged when it is back', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  const { callId } = await hold(10)
  await database.query('update lease set gateway_id = gateway_id + 1000')
  await ledger.recover()
  const refusals = await refuseEach(database, 'insert', { on: 'call', code: '57P01' })
  await settle(callId, 5)
  await expect.poll(refusals).toBeGreaterThan(0)
  await database.query('drop trigger refuse on call')
  await expect.poll(() => account.balance()).toEqual({ available: 995, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a journal keeps a call until the disk of the books has it, and is removed with the last one', async () => {
  const { database, ledger, journalDirectory } = await openLedger()
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  await settle((await hold(10)).callId, 5)
  await ledger.catchUp(account.accountId)
  const [file = ''] = await readdir(journalDirectory)
  const size = async () => (await stat(path.join(journalDirectory, file))).size
  expect(await database.query('select 1 from call where charged = 5')).toHaveLength(1)
  expect(await size()).toBeGreaterThan(0)
  await expect.poll(size).toBe(0)
  await settle((await hold(10)).callId, 5)
  await ledger.close()
  expect(await readdir(journalDirectory)).toEqual([])
})

test('a journal that another process removed causes no failure', async () => {
  const { database, ledger, journalDirectory } = await openLedger()
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const [file = ''] = await readdir(journalDirectory)
  await rm(path.join(journalDirectory, file))
  const { hold, settle } = createChats(ledger, account)
  await settle((await hold(10)).callId, 5)
  await ledger.close()
  expect(await readdir(journalDirectory)).toEqual([])
})

test('at midnight a lease takes no more calls, and yesterday’s are charged to yesterday', async () => {
  let aheadMs = 0
  const shifted: Clock = { ...clock, now: () => clock.now() + aheadMs }
  const { database, ledger } = await openLedger({ clock: shifted })
  const account = await openAccount(database, ledger, 100_000)
  await warm(database, createChats(ledger, account))
  const { hold, settle } = createChats(ledger, account)
  const yesterday = await hold(10)
  const [before] = await database.query<{ id: string }>('select id from lease')
  aheadMs = 86_400_000
  const today = await hold(10)
  expect([yesterday.outcome, today.outcome]).toEqual(['held', 'held'])
  const [row] = await database.query('select state from call where id = $1', [today.callId])
  expect(row).toEqual({ state: 'held' })
  await Promise.all([settle(yesterday.callId, 5), settle(today.callId, 5)])
  await expect
    .poll(() => database.query('select 1 from lease where id = $1', [before?.id]))
    .toEqual([])
  expect(await ledger.verify()).toMatchObject(fine)
})
