import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createMonthlyStatements } from './monthly-statements.ts'

const runs = Number(process.env.GRANT_RUNS ?? 40)
const hourMs = 3_600_000
const fine = { ok: true, problems: [] }
type Opened = Awaited<ReturnType<typeof openLedger>>

/** An account with this much for good. */
async function setUp(micros: Micros, opened?: Opened) {
  const one = opened ?? (await openLedger())
  const { database, ledger } = one
  const account = await openAccount(database, ledger, micros)
  const { accountId } = account
  /** Later places expire later. */
  const grant = (granted: Micros, place = 0) =>
    database.transaction((client) =>
      ledger.grant(
        accountId,
        { micros: granted, reason: 'test', expiresAt: new Date(Date.now() + (place + 1) * hourMs) },
        client,
      ),
    )
  /** The time comes at which the next grant expires. */
  const pass = () =>
    database.transaction(async (client) => {
      await client.query('select 1 from balance where account_id = $1 for update', [accountId])
      await client.query(
        `update credit_grant set expires_at = clock_timestamp() where transfer_id = (
           select transfer_id from credit_grant where account_id = $1 and expires_at > now()
           order by expires_at, transfer_id limit 1)`,
        [accountId],
      )
      await client.query('select note_next_expiry($1)', [accountId])
    })
  const expired = async () => {
    const rows = await database.query<{ amount: Micros }>(
      `select amount from transfer where kind = 'credit_expired' and debit = $1 order by id`,
      [accountId],
    )
    return rows.map(({ amount }) => amount)
  }
  const call = async (held: Micros) => {
    const callId = uuidv7(Date.now())
    expect(await account.hold(held, { callId })).toMatchObject({ outcome: 'held' })
    return callId
  }
  const fail = (callId: string) =>
    ledger.settle({ callId, accountId, state: 'voided', charged: 0, error: 'upstream_error' })
  const left = async () => (await ledger.grants(accountId)).map((each) => each.left)
  return { ...one, ...account, grant, pass, expired, call, fail, left }
}

test('spending takes the grant that expires first, and the rest of the balance last', async () => {
  const { ledger, accountId, grant, call, settle, left, database, balance } = await setUp(100)
  await grant(50, 2)
  await grant(30, 1)
  expect(await left()).toEqual([30, 50])
  await settle(await call(40), 35)
  expect(await left()).toEqual([45])
  await database.transaction((client) => ledger.debit(accountId, 40, 'test', client))
  expect(await left()).toEqual([5])
  await settle(await call(10), 10)
  expect(await left()).toEqual([])
  expect(await balance()).toEqual({ available: 95, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('what is unspent at the expiry goes back by a posting of its own, before the balance is shown', async () => {
  const { database, ledger, accountId, grant, pass, expired, balance } = await setUp(100)
  await grant(50)
  await pass()
  await ledger.catchUp(accountId)
  expect(await balance()).toEqual({ available: 100, held: 0 })
  expect(await expired()).toEqual([50])
  const month = new Date().toISOString().slice(0, 7)
  const statements = createMonthlyStatements({ database, ledger })
  expect(await statements.read(accountId, month)).toMatchObject({
    closing: 100,
    movements: [
      { kind: 'credit', count: 2, amount: 150 },
      { kind: 'credit_expired', count: 1, amount: -50 },
    ],
  })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a call cannot be held, nor a debit taken, from credit that has expired', async () => {
  const { database, ledger, accountId, grant, pass, expired, hold } = await setUp(5)
  await grant(50)
  await pass()
  expect(await hold(6)).toMatchObject({ outcome: 'insufficient', available: 5 })
  await grant(50)
  await pass()
  const debited = await database.transaction((client) => ledger.debit(accountId, 6, 'test', client))
  expect(debited).toEqual({ taken: false, available: 5 })
  expect(await hold(5)).toMatchObject({ outcome: 'held' })
  expect(await expired()).toEqual([50, 50])
})

test('a call that is held at the expiry keeps its hold, and what it is not charged goes back', async () => {
  const { ledger, accountId, grant, pass, expired, call, settle, fail, balance, left } =
    await setUp(100)
  await grant(50)
  const [charged, failed] = [await call(30), await call(10)]
  await pass()
  await ledger.catchUp(accountId)
  expect(await expired()).toEqual([10])
  expect(await balance()).toEqual({ available: 100, held: 40 })
  expect(await left()).toEqual([40])
  // A call that begins after the expiry is not charged to the grant.
  expect(await settle(await call(7), 7)).toMatchObject({ available: 93 })
  expect(await left()).toEqual([40])
  expect(await settle(charged, 25)).toMatchObject({ outcome: 'done', available: 93 })
  expect(await expired()).toEqual([10, 5])
  await fail(failed)
  expect(await expired()).toEqual([10, 5, 10])
  expect(await balance()).toEqual({ available: 93, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('two gateways that expire the same grants at once post each once', async () => {
  const one = await openLedger()
  const two = await openLedger({ connectionString: one.connectionString })
  const accounts = await Promise.all(Array.from({ length: 12 }, () => setUp(10, one)))
  for (const { grant, pass } of accounts) {
    await grant(50)
    await pass()
  }
  await Promise.all(
    accounts.flatMap(({ accountId, hold }) => [
      one.ledger.catchUp(accountId),
      two.database.query(`select expire_due_grants('00000000-0000-0000-0000-000000000000', 5)`),
      two.ledger.catchUp(accountId),
      hold(10),
    ]),
  )
  for (const { expired, balance } of accounts) {
    expect(await expired()).toEqual([50])
    expect(await balance()).toEqual({ available: 0, held: 10 })
  }
  expect(await one.ledger.verify()).toMatchObject(fine)
})

test('a gateway that is killed while it expires grants has posted all of one, or nothing', async () => {
  const { database, ledger, accountId, grant, pass, expired, balance } = await setUp(10)
  await grant(50)
  await pass()
  await expect(
    database.transaction(async (client) => {
      await client.query('select expire_credit($1)', [accountId])
      await client.query('select pg_terminate_backend(pg_backend_pid())')
    }),
  ).rejects.toThrow()
  expect(await expired()).toEqual([])
  await ledger.catchUp(accountId)
  expect(await expired()).toEqual([50])
  expect(await balance()).toEqual({ available: 10, held: 0 })
})

test('the calls of a killed gateway give back what they held of an expired grant', async () => {
  const one = await openLedger()
  const killed = await openLedger({ connectionString: one.connectionString })
  const { grant, pass, expired, call, balance } = await setUp(0, killed)
  await grant(50)
  await call(50)
  await pass()
  await killed.ledger.close()
  await one.ledger.recover()
  expect(await expired()).toEqual([50])
  expect(await balance()).toEqual({ available: 0, held: 0 })
  expect(await one.ledger.verify()).toMatchObject(fine)
})

test('chats on a lease spend the grant that it was opened with, and no later lease does', async () => {
  const { database, ledger, accountId, keyId, grant, pass, expired, balance, left } =
    await setUp(100_000)
  await grant(100_000)
  await warm(database, createChats(ledger, { accountId, keyId }))
  const { hold, settle } = createChats(ledger, { accountId, keyId })
  const { callId } = await hold(10)
  await pass()
  // The lease gives back what its chat has not reserved.
  await ledger.catchUp(accountId)
  expect(await left()).toEqual([10])
  await settle(callId, 7)
  await ledger.catchUp(accountId)
  expect(await left()).toEqual([])
  const later = await hold(10)
  await settle(later.callId, 10)
  await ledger.catchUp(accountId)
  expect((await expired()).reduce((sum, each) => sum + each, 0)).toBe(100_000 - 7)
  await expect.poll(balance).toEqual({ available: 99_990, held: 0 })
  expect(await ledger.verify()).toMatchObject(fine)
})

test('a repair ends grants that the postings do not cover', async () => {
  const { database, ledger, accountId, grant, left } = await setUp(0)
  await grant(50)
  // By hand, as nothing in the gateway does.
  await database.query(
    `insert into transfer (debit, credit, amount, kind) values ($1, house('credit'), 20, 'debit')`,
    [accountId],
  )
  expect((await ledger.verify()).problems.map(({ rule }) => rule)).toContain(
    'a balance is not the sum of its postings',
  )
  const { remaining } = await database.transaction((client) => ledger.repair(client))
  expect(remaining).toEqual([])
  expect(await left()).toEqual([30])
})

test('after any events in any order, grants are spent and expire as their rules say', async () => {
  const one = await openLedger()
  const two = await openLedger({ connectionString: one.connectionString })
  const event = fc.record({
    what: fc.constantFrom(
      'grant',
      'grant',
      'credit',
      'hold',
      'hold',
      'settle',
      'fail',
      'pass',
      'debit',
      'look',
    ),
    micros: fc.integer({ min: 1, max: 60 }),
    place: fc.nat(3),
    gateway: fc.constantFrom(one, two),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const account = await setUp(20, one)
      const { accountId } = account
      const rules = createRules(20)
      const open: { callId: string; held: Micros; began: number }[] = []
      for (const { what, micros, place, gateway } of events) {
        const { ledger, database } = gateway
        if (what === 'grant') {
          await account.grant(micros, place)
          rules.grant(micros, place)
        } else if (what === 'credit') {
          await ledger.credit(accountId, micros, 'test')
          rules.add(micros)
        } else if (what === 'hold') {
          const callId = uuidv7(Date.now())
          const held = await ledger.hold({
            callId,
            accountId,
            keyId: account.keyId,
            action: 'test/echo',
            micros,
            lifetimeMs: 60_000,
          })
          expect(held.outcome).toBe(rules.hold(micros) ? 'held' : 'insufficient')
          if (held.outcome === 'held') open.push({ callId, held: micros, began: rules.now() })
        } else if (what === 'settle' || what === 'fail') {
          const call = open.splice(place % Math.max(open.length, 1), 1)[0]
          if (call === undefined) continue
          const charged = what === 'settle' ? Math.min(micros, call.held) : 0
          const state = what === 'settle' ? 'settled' : 'voided'
          await ledger.settle({ callId: call.callId, accountId, state, charged })
          rules.end(call, charged)
        } else if (what === 'pass') {
          await account.pass()
          rules.pass()
        } else if (what === 'debit') {
          const debited = await database.transaction((client) =>
            ledger.debit(accountId, micros, 'test', client),
          )
          expect(debited?.taken).toBe(rules.debit(micros))
        }
        if (what !== 'look') continue
        await Promise.all([one.ledger.catchUp(accountId), two.ledger.catchUp(accountId)])
        expect(await account.balance()).toEqual(rules.balance())
        expect(await account.left()).toEqual(rules.left())
      }
      for (const call of open.splice(0))
        await account.fail(call.callId).then(() => rules.end(call, 0))
      await one.ledger.catchUp(accountId)
      expect(await account.balance()).toEqual(rules.balance())
      expect(await account.left()).toEqual(rules.left())
    }),
    { numRuns: runs },
  )
  expect(await one.ledger.verify()).toMatchObject(fine)
})

/**
 * The rules as one would do them by hand: every micro-dollar is a coin with a time at which it expires. A coin that has
 * expired stays only as long as a call that began before needs it.
 */
function createRules(forGood: Micros) {
  let time = 0
  let permanent = forGood
  let held = 0
  const grants: { left: Micros; place: number; order: number; expiredAt: number }[] = []
  const holds: { held: Micros; began: number }[] = []
  const inOrder = () =>
    grants.toSorted((a, b) => a.expiredAt - b.expiredAt || a.place - b.place || a.order - b.order)
  function sweep() {
    let used = 0
    for (const grant of inOrder()) {
      if (grant.expiredAt > time) break
      const before = holds
        .filter(({ began }) => began < grant.expiredAt)
        .reduce((sum, each) => sum + each.held, 0)
      grant.left = Math.min(grant.left, Math.max(0, before - used))
      used += grant.left
    }
  }
  const total = () => permanent + grants.reduce((sum, { left }) => sum + left, 0)
  function spend(micros: Micros, began: number) {
    let rest = micros
    for (const grant of inOrder().filter(({ expiredAt }) => expiredAt > began)) {
      const part = Math.min(rest, grant.left)
      grant.left -= part
      rest -= part
    }
    permanent -= rest
    expect(permanent).toBeGreaterThanOrEqual(0)
  }
  return {
    now: () => time,
    add(micros: Micros) {
      permanent += micros
    },
    grant(left: Micros, place: number) {
      grants.push({ left, place, order: grants.length, expiredAt: Number.MAX_SAFE_INTEGER })
    },
    hold(micros: Micros) {
      sweep()
      if (total() - held < micros) return false
      held += micros
      holds.push({ held: micros, began: time })
      return true
    },
    end(call: { held: Micros; began: number }, charged: Micros) {
      held -= call.held
      holds.splice(
        holds.findIndex((each) => each.held === call.held && each.began === call.began),
        1,
      )
      spend(charged, call.began)
      sweep()
    },
    pass() {
      const next = inOrder().find(({ expiredAt }) => expiredAt > time)
      time += 1
      if (next !== undefined) next.expiredAt = time
    },
    debit(micros: Micros) {
      sweep()
      if (total() - held < micros) return false
      spend(micros, time)
      return true
    },
    balance() {
      sweep()
      return { available: total() - held, held }
    },
    left() {
      sweep()
      return inOrder().flatMap(({ left }) => (left > 0 ? [left] : []))
    },
  }
}
