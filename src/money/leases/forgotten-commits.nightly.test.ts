// The database forgets its last commits, and the gateway goes on: the books stay right, and nothing stays held.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { Clock } from '#core/ports.ts'
import { systemClock as clock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { until } from '#test/until.ts'
import { remember } from '../../../test/simulation/forgetful-database.ts'

const fine = { ok: true, problems: [] }

/** The time of the system, which a test can halt. */
function createHaltingClock(): Clock & { halt(): void; resume(): void } {
  let haltedAtMs: number | undefined
  return {
    now: () => haltedAtMs ?? clock.now(),
    sleep: clock.sleep,
    halt() {
      haltedAtMs = clock.now()
    },
    resume() {
      haltedAtMs = undefined
    },
  }
}

/** An account with a lease. */
async function openLeased(micros = 1_000_000) {
  const halting = createHaltingClock()
  const { database, ledger, connectionString } = await openLedger({ clock: halting })
  const account = await openAccount(database, ledger, micros)
  const chats = createChats(ledger, account, { requestDigest: Buffer.from('one body') })
  await warm(database, chats)
  const turnOf = async () =>
    (await database.query<{ turn: number }>('select turn from lease'))[0]?.turn
  /** Resolves when every ended call is in the books. */
  const catchUp = () => ledger.catchUp(account.accountId)
  /** Charges of the account, with what is left of its balance once nothing is held. */
  const expectCharged = async (charged: number) => {
    await expect.poll(account.balance).toEqual({ available: micros - charged, held: 0 })
    const [row] = await database.query('select sum(charged)::integer as charged from call')
    expect(row).toEqual({ charged })
    expect(await database.query('select 1 from lease')).toEqual([])
    expect(await ledger.verify()).toMatchObject(fine)
  }
  /**
   * Until everything since then is forgotten, no time passes for the gateway: its lease does not close, and it does not
   * wait for the disk of the database, which would forget nothing after that.
   */
  const rememberNow = async () => {
    halting.halt()
    const forget = await remember(database)
    return async () => {
      await forget()
      halting.resume()
    }
  }
  const ofLease = { turnOf, catchUp, expectCharged, rememberNow }
  return { database, ledger, connectionString, account, ...ofLease, ...chats }
}

/** Sends free chats until the lease has had another turn. */
async function takeTurn({ hold, settle, turnOf }: Awaited<ReturnType<typeof openLeased>>) {
  const before = await turnOf()
  await until(async () => {
    await settle((await hold(10)).callId, 0)
    return (await turnOf()) !== before
  })
}

test('a forgotten grant: calls reserved out of it are charged once', async () => {
  const leased = await openLeased()
  const { hold, settle, catchUp, turnOf, expectCharged, rememberNow } = leased
  const forget = await rememberNow()
  const turn = await turnOf()
  const open = await Promise.all(Array.from({ length: 12 }, () => hold(10)))
  await until(async () => (await turnOf()) !== turn)
  const more = await Promise.all(Array.from({ length: 12 }, () => hold(10)))
  await forget()
  const calls = [...open, ...more].filter(({ outcome }) => outcome === 'held')
  await Promise.all(calls.map(({ callId }) => settle(callId, 7)))
  await catchUp()
  await expectCharged(calls.length * 7)
})

test('a forgotten first turn: the lease is gone, and its calls are charged once', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000)
  const chats = createChats(ledger, account)
  const forget = await remember(database)
  await warm(database, chats)
  const { callId } = await chats.hold(10)
  await forget()
  await chats.settle(callId, 7)
  await expect.poll(account.balance).toEqual({ available: 993, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a forgotten last turn: the lease is released although its gateway lives', async () => {
  const { database, expectCharged } = await openLeased()
  const forget = await remember(database)
  await expect.poll(() => database.query('select 1 from lease')).toEqual([])
  await forget()
  await expectCharged(0)
})

test('forgotten charges are written again, also those whose callers were answered long before', async () => {
  const { hold, settle, catchUp, expectCharged, rememberNow } = await openLeased()
  const forget = await rememberNow()
  for (let call = 0; call < 20; call += 1) await settle((await hold(10)).callId, 7)
  await catchUp()
  await forget()
  await expectCharged(140)
})

test('a forgotten amount that was given back is available again', async () => {
  const { account, hold, settle, catchUp, expectCharged, rememberNow } = await openLeased()
  const open = await hold(10)
  const forget = await rememberNow()
  await catchUp()
  expect(await account.balance()).toMatchObject({ held: 10 })
  await forget()
  await settle(open.callId, 7)
  await expectCharged(7)
})

test('a forgotten claim: the call ends with its key and its answer', async () => {
  const { database, hold, settle, expectCharged, rememberNow } = await openLeased()
  const forget = await rememberNow()
  const { callId } = await hold(10, { idempotencyKey: 'a' })
  await forget()
  await settle(callId, 7, { output: '{"answer":1}' })
  expect(await hold(10, { idempotencyKey: 'a' })).toMatchObject({
    outcome: 'replay',
    earlier: callId,
  })
  const [row] = await database.query('select output, charged from call where id = $1', [callId])
  expect(row).toEqual({ output: '{"answer":1}', charged: 7 })
  await expectCharged(7)
})

test('a forgotten claim whose key was used again is not charged, and its caller gets no answer', async () => {
  const { ledger, account, hold, settle, expectCharged, rememberNow } = await openLeased()
  const forget = await rememberNow()
  const first = await hold(10, { idempotencyKey: 'a' })
  await forget()
  const second = await hold(10, { idempotencyKey: 'a', mayUseLease: false })
  expect(second.outcome).toBe('held')
  await expect(settle(first.callId, 7, { output: '{}' })).rejects.toMatchObject({
    code: 'upstream_error',
  })
  await ledger.settle({
    callId: second.callId,
    accountId: account.accountId,
    state: 'settled',
    charged: 5,
    output: '{}',
  })
  await expectCharged(5)
})

test.each([
  ['on a lease', {}],
  ['held by itself', { mayUseLease: false }],
])(
  'a call %s that is held again after its end is voided by the recovery, and its key is free',
  async (_what, how) => {
    const { database, ledger, hold, settle, expectCharged, rememberNow } = await openLeased()
    const ended = await hold(10, { idempotencyKey: 'a', ...how })
    const open = await hold(10, { idempotencyKey: 'b', ...how })
    const forget = await rememberNow()
    await settle(ended.callId, 7, { output: '{}' })
    await forget()
    await expect.poll(() => ledger.recover()).toBe(1)
    expect(await hold(10, { idempotencyKey: 'a', mayUseLease: false })).toMatchObject({
      outcome: 'held',
    })
    // A call that is under way is left alone.
    expect(await hold(10, { idempotencyKey: 'b', mayUseLease: false })).toMatchObject({
      outcome: 'in_progress',
    })
    await settle(open.callId, 5, { output: '{}' })
    await database.query(`update call set expires_at = now() where state = 'held'`)
    await ledger.recover()
    await expectCharged(5)
  },
)

test('a call whose hold was forgotten ends without a charge', async () => {
  const { ledger, account, rememberNow } = await openLeased()
  const forget = await rememberNow()
  const callId = uuidv7(clock.now())
  await account.hold(10, { callId })
  await forget()
  expect(await account.settle(callId, 7)).toMatchObject({ outcome: 'gone' })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a turn out of step is refused as a whole, and a turn that is repeated gets its grant again', async () => {
  const { database, ledger } = await openLedger()
  const account = await openAccount(database, ledger, 1_000_000)
  const { accountId } = account
  const lease = uuidv7(clock.now())
  const commit = async (turn: number, callId = uuidv7(clock.now())) => {
    const asked = { lease, account: accountId, action: 'llm/chat', turn, take: 50, least: 1 }
    const rest = { take_places: 1, give: 0, give_places: 0, last: false }
    const call = { id: callId, lease, account: accountId, key: account.keyId, held: 10 }
    const end = { action: 'llm/chat', state: 'settled', charged: 5, gateway: 0 }
    return await database.query<{ granted: number }>(
      'select granted from lease_commit(0, 100, 8, $1, $2, false)',
      [
        JSON.stringify([{ ...asked, ...rest }]),
        JSON.stringify(
          turn === 1 ? [] : [{ ...call, ...end, timeline: {}, started_ms: clock.now() }],
        ),
      ],
    )
  }
  const books = () =>
    database.query(
      `select (select count(*) from call) as calls, (select count(*) from transfer) as transfers, b.available, b.held,
         l.turn, l.held as leased, d.spent from balance b join lease l using (account_id) join inference_day d using (account_id)
       where account_id = $1`,
      [accountId],
    )
  // Without its first turn, a lease does not exist.
  expect(await commit(2)).toEqual([])
  expect(await commit(1)).toEqual([{ granted: 50 }])
  expect(await commit(2)).toEqual([{ granted: 50 }])
  for (const turn of [1, 4, 9]) {
    const before = await books()
    expect(await commit(turn)).toEqual([])
    expect(await books()).toEqual(before)
  }
  const callId = uuidv7(clock.now())
  const first = await commit(3, callId)
  expect(first).toEqual([{ granted: 50 }])
  const after = await books()
  expect(after).toMatchObject([{ calls: 2, leased: 140, spent: 10, turn: 3 }])
  expect(await commit(3, callId)).toEqual(first)
  expect(await commit(3)).toEqual(first)
  expect(await books()).toEqual(after)
  expect(await ledger.verify()).toMatchObject(fine)
})

test('only a commit that a caller waits for waits for the disk', async () => {
  const { database } = await openLeased()
  for (const isDurable of [true, false]) {
    const setting = await database.transaction(async (client) => {
      await client.query(`select lease_commit(1, 100, 8, '[]', '[]', $1)`, [isDurable])
      return (await client.query('show synchronous_commit')).rows[0]?.synchronous_commit
    })
    expect(setting).toBe(isDurable ? 'on' : 'off')
  }
})

test('a crash in the middle of a turn changes nothing twice', async () => {
  const leased = await openLeased()
  const { hold, settle, expectCharged, rememberNow } = leased
  const forget = await rememberNow()
  const calls = await Promise.all(Array.from({ length: 6 }, () => hold(10)))
  // The ends are on their way while the database goes back.
  const ends = Promise.all(calls.map(({ callId }) => settle(callId, 7)))
  await forget()
  await ends
  await takeTurn(leased)
  await expectCharged(42)
})

test('the books are right after any events and crashes in any order', async () => {
  const { database, ledger } = await openLedger({ inFlightMax: 50 })
  const step = fc.record({
    kind: fc.constantFrom(
      'chat',
      'chat',
      'keyed',
      'call',
      'end',
      'end',
      'pause',
      'remember',
      'forget',
    ),
    amount: fc.integer({ min: 1, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const account = await openAccount(database, ledger, 2_000)
      const chats = createChats(ledger, account, { requestDigest: Buffer.from('one body') })
      const open: { end: (charged: number) => Promise<unknown>; micros: number }[] = []
      let forget = await remember(database)
      await warm(database, chats)
      for (const { kind, amount } of steps) {
        if (kind === 'pause') await clock.sleep(amount)
        if (kind === 'remember') forget = await remember(database)
        if (kind === 'forget') await forget()
        if (kind === 'call') {
          const callId = uuidv7(clock.now())
          const { outcome } = await account.hold(amount, { callId })
          if (outcome === 'held')
            open.push({ end: (charged) => account.settle(callId, charged), micros: amount })
        }
        if (kind === 'chat' || kind === 'keyed') {
          const idempotencyKey = kind === 'keyed' ? uuidv7(clock.now()) : undefined
          const { callId, outcome } = await chats.hold(amount, { idempotencyKey })
          if (outcome === 'held')
            open.push({
              end: (charged) => chats.settle(callId, charged, { output: '{}' }),
              micros: amount,
            })
        }
        if (kind === 'end') {
          const call = open.shift()
          if (call !== undefined) void call.end(Math.min(amount, call.micros)).catch(() => {})
        }
      }
      // One whose claim was forgotten, and whose key was used again, is not answered.
      await Promise.allSettled(open.map(({ end, micros }) => end(micros)))
      await expectNothingHeld(database, ledger, account.accountId)
      expect(await ledger.verify()).toMatchObject(fine)
    }),
    { numRuns: 10 },
  )
})

async function expectNothingHeld(
  database: Database,
  ledger: Awaited<ReturnType<typeof openLedger>>['ledger'],
  accountId: string,
) {
  await expect
    .poll(async () => {
      await ledger.recover()
      return await database.query('select held, in_flight from balance where account_id = $1', [
        accountId,
      ])
    })
    .toEqual([{ held: 0, in_flight: 0 }])
}
