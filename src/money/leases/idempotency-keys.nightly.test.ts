// Idempotency keys of calls on a lease: claimed before the call runs, exact on every gateway, and never stuck.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Hold } from '../ledger/operations.ts'

const fine = { ok: true, problems: [] }

function chatter(ledger: Ledger, account: Awaited<ReturnType<typeof openAccount>>) {
  const chats = createChats(ledger, account, { requestDigest: Buffer.from('one body') })
  return {
    ...chats,
    hold: (micros: number, idempotencyKey?: string, more: Partial<Hold> = {}) =>
      chats.hold(micros, { idempotencyKey, ...more }),
    settle: (callId: string, charged: number, output?: string) =>
      chats.settle(callId, charged, { output }),
  }
}

/** Two ledgers on one database, and an account with a lease on both. */
async function openTwo(micros = 1_000_000) {
  const one = await openLedger()
  const two = await openLedger({ connectionString: one.connectionString })
  const account = await openAccount(one.database, one.ledger, micros)
  for (const { ledger } of [one, two]) await warm(one.database, createChats(ledger, account))
  const rowOf = async (callId: string) => {
    const [row] = await one.database.query<{
      state: string
      charged: number
      onLease: boolean
      idempotencyKey: string | null
      output: string | null
    }>(
      `select state, charged, on_lease as "onLease", idempotency_key as "idempotencyKey", output from call where id = $1`,
      [callId],
    )
    return row
  }
  return {
    database: one.database,
    account,
    rowOf,
    ledgers: [one.ledger, two.ledger] as const,
    here: chatter(one.ledger, account),
    there: chatter(two.ledger, account),
  }
}

test('a key is claimed before its call runs on a lease, on every gateway', async () => {
  const { here, there, rowOf, account, ledgers } = await openTwo()
  const first = await here.hold(10, 'a')
  expect(first.outcome).toBe('held')
  expect(await rowOf(first.callId)).toMatchObject({ state: 'held', onLease: true })
  for (const gateway of [here, there]) {
    expect(await gateway.hold(10, 'a')).toMatchObject({ outcome: 'in_progress' })
    expect(await gateway.hold(10, 'a', { requestDigest: Buffer.from('other') })).toMatchObject({
      outcome: 'mismatch',
    })
    expect(await gateway.hold(10, 'a', { mayUseLease: false })).toMatchObject({
      outcome: 'in_progress',
    })
  }
  expect(await account.hold(10, { idempotencyKey: 'a' })).toMatchObject({ outcome: 'mismatch' })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('an answer is in the books, for every gateway, before its caller receives it', async () => {
  const { here, there, rowOf, ledgers } = await openTwo()
  const first = await here.hold(10, 'a')
  await here.settle(first.callId, 7, '{"answer":"\\u0000"}')
  expect(await rowOf(first.callId)).toEqual({
    state: 'settled',
    charged: 7,
    onLease: true,
    idempotencyKey: 'a',
    output: '{"answer":"\\u0000"}',
  })
  for (const gateway of [here, there]) {
    const again = { outcome: 'replay', earlier: first.callId }
    expect(await gateway.hold(10, 'a')).toMatchObject(again)
    expect(await gateway.hold(10, 'a', { mayUseLease: false })).toMatchObject(again)
    expect(await gateway.hold(10, 'a', { requestDigest: Buffer.from('other') })).toMatchObject({
      outcome: 'mismatch',
    })
  }
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('a failed call frees its key at once, on every gateway', async () => {
  const { here, there, rowOf, ledgers } = await openTwo()
  const first = await here.hold(10, 'a')
  await here.settle(first.callId, 0)
  expect(await rowOf(first.callId)).toMatchObject({ state: 'voided', idempotencyKey: null })
  const second = await there.hold(10, 'a')
  expect(second).toMatchObject({ outcome: 'held' })
  await there.settle(second.callId, 5, '{}')
  expect(await here.hold(10, 'a')).toMatchObject({ outcome: 'replay', earlier: second.callId })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('a call refused for its key gives its amount and place back to the lease', async () => {
  const { here, database, ledgers, account } = await openTwo()
  const first = await here.hold(10, 'a')
  for (let time = 0; time < 300; time += 1) await here.hold(10, 'a')
  await here.settle(first.callId, 10, '{}')
  await expect.poll(() => database.query('select * from lease')).toEqual([])
  expect(await account.balance()).toEqual({ available: 999_990, held: 0 })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

/** Its caller gets no answer, whether it was on a lease or held by itself. */
async function expectGone(settled: Promise<{ readonly outcome: string }>) {
  const told = await settled.then(
    ({ outcome }) => outcome,
    ({ code }) => code,
  )
  expect(['gone', 'upstream_error']).toContain(told)
}

test('the keys of a stopped gateway are free again, and its calls are not charged', async () => {
  const { here, there, database, rowOf, ledgers, account } = await openTwo()
  const open = await here.hold(10, 'a')
  // Simulates a dead gateway: the lock that proves its life has another number.
  await database.query('update call set gateway_id = gateway_id + 1000 where id = $1', [
    open.callId,
  ])
  await database.query('update lease set gateway_id = gateway_id + 1000')
  await ledgers[1].recover()
  expect(await rowOf(open.callId)).toMatchObject({ state: 'voided', idempotencyKey: null })
  const again = await there.hold(10, 'a')
  expect(again.outcome).toBe('held')
  // It was alive: a call that it ends now is not charged, since the key belongs to another call.
  await expectGone(here.settle(open.callId, 9, '{"too":"late"}'))
  await there.settle(again.callId, 5, '{}')
  expect(await rowOf(open.callId)).toMatchObject({ state: 'voided', charged: 0, output: null })
  expect(await here.hold(10, 'a')).toMatchObject({ outcome: 'replay', earlier: again.callId })
  await expect.poll(() => account.balance()).toEqual({ available: 999_995, held: 0 })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('the key of a call past its deadline is free again', async () => {
  const { here, there, rowOf, ledgers } = await openTwo()
  const open = await here.hold(10, 'a', { lifetimeMs: 1 })
  await clock.sleep(2)
  await ledgers[1].recover()
  expect(await rowOf(open.callId)).toMatchObject({ state: 'voided', idempotencyKey: null })
  await expectGone(here.settle(open.callId, 9, '{}'))
  expect(await there.hold(10, 'a')).toMatchObject({ outcome: 'held' })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('a claimed call whose lease was released meanwhile is charged once, to the remaining balance', async () => {
  const { here, there, database, ledgers, account } = await openTwo(1_000)
  const open = await here.hold(10, 'a')
  await database.query('update lease set gateway_id = gateway_id + 1000')
  await database.query('select release_abandoned_leases()')
  await here.settle(open.callId, 9, '{}')
  expect(await there.hold(10, 'a')).toMatchObject({ outcome: 'replay', earlier: open.callId })
  await Promise.all(ledgers.map((ledger) => ledger.catchUp(account.accountId)))
  await expect.poll(() => account.balance()).toEqual({ available: 991, held: 0 })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('a caller learns that the database refused its call, and no other call fails', async () => {
  const { here, database, rowOf, ledgers } = await openTwo()
  const [good, bad] = [await here.hold(10, 'a'), await here.hold(10, 'b')]
  await database.query(
    `create function refuse() returns trigger language plpgsql as $$
     begin if new.idempotency_key = 'b' then raise 'not now' using errcode = 'P0001'; end if; return new; end $$`,
  )
  await database.query(
    'create trigger refuse before update on call for each row execute function refuse()',
  )
  const [first, second] = await Promise.allSettled([
    here.settle(good.callId, 5, '{}'),
    here.settle(bad.callId, 5, '{}'),
  ])
  expect(first).toMatchObject({ status: 'fulfilled' })
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'upstream_error' } })
  expect(await rowOf(bad.callId)).toMatchObject({ state: 'held', charged: 0 })
  await database.query('drop trigger refuse on call')
  await database.query(`update call set expires_at = now() where id = $1`, [bad.callId])
  await ledgers[0].recover()
  expect(await here.hold(10, 'b')).toMatchObject({ outcome: 'held' })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('a call that ends twice before it is booked keeps its first end', async () => {
  const { here, database, rowOf, account, ledgers } = await openTwo()
  const { callId } = await here.hold(10, 'a')
  const ends = await database.transaction(async (client) => {
    await client.query('select 1 from balance where account_id = $1 for update', [
      account.accountId,
    ])
    const first = here.settle(callId, 7, '{}')
    // The statement now waits for the balance.
    await expect
      .poll(() =>
        database.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'lease_commit'`,
        ),
      )
      .not.toEqual([])
    return [first, here.settle(callId, 0)]
  })
  await Promise.all(ends)
  expect(await rowOf(callId)).toMatchObject({ state: 'settled', charged: 7, idempotencyKey: 'a' })
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('broken connections run no key twice and charge none twice', async () => {
  const { database, account, ledgers, here, there } = await openTwo(10_000_000)
  let breaks = 0
  const breaking = (async () => {
    while (breaks < 10) {
      const killed = await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
           and pid <> pg_backend_pid() and query ~ 'ledger_claim|lease_commit'`,
      )
      breaks += killed.length
      await clock.sleep(30)
    }
  })()
  const runs = new Map<string, string[]>()
  const callers = Array.from({ length: 20 }, async (_, caller) => {
    const gateway = caller % 2 === 0 ? here : there
    for (let turn = 0; breaks < 10; turn += 1) {
      const key = `${Math.floor(caller / 2)} ${turn}`
      const { callId, outcome } = await gateway.hold(10, key)
      expect(['held', 'replay', 'in_progress']).toContain(outcome)
      if (outcome !== 'held') continue
      runs.set(key, [...(runs.get(key) ?? []), callId])
      await gateway.settle(callId, 7, '{}')
    }
  })
  await Promise.all([breaking, ...callers])
  await Promise.all(ledgers.map((ledger) => ledger.catchUp(account.accountId)))
  expect([...runs.values()].filter((calls) => calls.length !== 1)).toEqual([])
  const [charged] = await database.query<{ calls: number }>(
    `select count(*)::integer as calls from call where charged = 7 and state = 'settled'`,
  )
  expect(charged?.calls).toBe(runs.size)
  expect(await ledgers[0].verify()).toMatchObject(fine)
})

test('a key is charged at most once, after any events in any order on two gateways', async () => {
  const one = await openLedger({ inFlightMax: 12 })
  const two = await openLedger({ connectionString: one.connectionString, inFlightMax: 12 })
  const step = fc.record({
    kind: fc.constantFrom('chat', 'chat', 'chat', 'alone', 'call', 'end', 'end', 'fail', 'pause'),
    gateway: fc.constantFrom(one.ledger, two.ledger),
    key: fc.constantFrom('a', 'b', 'c', undefined),
    amount: fc.integer({ min: 1, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const account = await openAccount(one.database, one.ledger, 2_000)
      await warm(one.database, createChats(one.ledger, account))
      const open: { end: (charged: number) => Promise<unknown>; micros: number }[] = []
      /** The call of each key, according to the answers. */
      const settled = new Map<string, string>()
      const work = steps.map(async ({ kind, gateway, key, amount }) => {
        const { hold, settle } = chatter(gateway, account)
        if (kind === 'pause') await clock.sleep(amount / 4)
        if (kind === 'end' || kind === 'fail') {
          const call = open.shift()
          await call?.end(kind === 'fail' ? 0 : Math.min(amount, call.micros))
        }
        if (kind !== 'chat' && kind !== 'alone' && kind !== 'call') return
        const more: Partial<Hold> =
          kind === 'chat'
            ? {}
            : { mayUseLease: false, ...(kind === 'call' ? { action: 'test/echo' } : {}) }
        const { callId, ...held } = await hold(amount, key, more)
        if (held.outcome === 'replay' && key !== undefined)
          expect(held.earlier).toBe(settled.get(key))
        if (held.outcome !== 'held') return
        const end = async (charged: number) => {
          // Recorded before it ends, because another gateway may learn of it first.
          if (charged > 0 && key !== undefined) {
            expect(settled.has(key)).toBe(false)
            settled.set(key, callId)
          }
          await settle(callId, charged, '{}')
        }
        open.push({ end, micros: amount })
      })
      await Promise.all(work)
      await Promise.all(open.map(({ end, micros }) => end(micros)))
      await Promise.all([one, two].map(({ ledger }) => ledger.catchUp(account.accountId)))
      const rows = await one.database.query<{ key: string; id: string }>(
        `select idempotency_key as key, id from call where account_id = $1 and idempotency_key is not null`,
        [account.accountId],
      )
      expect(new Map(rows.map(({ key, id }) => [key, id]))).toEqual(settled)
      expect(await one.ledger.verify()).toMatchObject(fine)
    }),
    { numRuns: 25 },
  )
})
