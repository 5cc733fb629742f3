// What calls without a charge cost the operator is counted for each account and day, and further calls are refused.
import { expect, test } from 'vitest'
import { createKeys } from '#accounts/keys/keys.ts'
import { uuidv7 } from '#core/id.ts'
import type { Hold } from '#money/ledger/operations.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createChats, warm } from '#test/chats.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createUnchargedCosts } from './uncharged-costs.ts'

const cap = 1_000

async function start() {
  const opened = await openLedger({ unchargedDayMicrosMax: cap })
  const account = await openAccount(opened.database, opened.ledger, 1_000_000)
  const database = opened.database
  const keys = createKeys({ database, clock })
  const { accountId } = account
  const hold = (more: Partial<Hold> = {}) =>
    account.hold(100, { callId: uuidv7(clock.now()), ...more })
  /** A call of a key that costs so much and is not charged. Resolves to the outcome of its hold. */
  async function waste(keyId: string, cost: number) {
    const callId = uuidv7(clock.now())
    const { outcome } = await hold({ callId, keyId })
    if (outcome === 'held')
      await opened.ledger.settle({ callId, accountId, state: 'voided', charged: 0, cost })
    return outcome
  }
  const limitedKey = async () =>
    (await keys.create({ accountId }, { callMicrosMax: 100_000 })).key.id
  /** One call from its hold to its end. Resolves to the outcome of the hold. */
  async function run(
    end: { charged?: number; cost?: number; state?: 'settled' | 'voided'; timeline?: object },
    { micros = 100, of = account, action = 'test/echo', inference = false } = {},
  ) {
    const callId = uuidv7(clock.now())
    const { outcome } = await of.hold(micros, { callId, action, inference })
    const { charged = 0, state = charged > 0 ? 'settled' : 'voided', cost } = end
    if (outcome === 'held')
      await opened.ledger.settle({
        callId,
        accountId: of.accountId,
        state,
        charged,
        cost,
        timeline: JSON.stringify(end.timeline ?? {}),
      })
    return outcome
  }
  const costs = createUnchargedCosts(opened.database)
  return { ...opened, account, hold, waste, limitedKey, run, costs }
}

test('voided calls and calls that were charged nothing count, and at the cap the next call is refused', async () => {
  const { run, ledger } = await start()
  expect(await run({ cost: 400 })).toBe('held')
  expect(await run({ cost: 400, state: 'settled' })).toBe('held')
  expect(await run({ cost: 199 })).toBe('held')
  expect(await run({ cost: 1 })).toBe('held')
  expect(await run({})).toBe('uncharged_cap')
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('calls that are charged, or cost nothing, do not count', async () => {
  const { run } = await start()
  expect(await run({ cost: 5_000, charged: 1 })).toBe('held')
  expect(await run({})).toBe('held')
  expect(await run({ cost: 0 })).toBe('held')
  expect(await run({ cost: 1 })).toBe('held')
})

test('of an answer that was charged, what its hold had no room for counts', async () => {
  const { run, ledger } = await start()
  const answered = (micros: number) =>
    run({ cost: 5_000, charged: 1, timeline: { inference: { uncharged_micros: micros } } })
  expect(await answered(999)).toBe('held')
  expect(await answered(1)).toBe('held')
  expect(await answered(0)).toBe('uncharged_cap')
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('a tenth of what an account was charged today is added to its cap', async () => {
  const { run, database } = await start()
  expect(await run({ cost: cap })).toBe('held')
  expect(await run({}, {})).toBe('uncharged_cap')
  await database.query('delete from uncharged_day')
  expect(await run({ charged: 5_000 }, { micros: 5_000 })).toBe('held')
  expect(await run({ cost: cap })).toBe('held')
  // Now in the sums by hour instead of the events.
  await database.query('select sum_usage(1000)')
  expect(await run({ cost: 500 })).toBe('held')
  expect(await run({})).toBe('uncharged_cap')
})

test('another account, another day, free calls and top-ups are not refused; free calls of a model are', async () => {
  const { run, database, ledger, account } = await start()
  const other = await openAccount(database, ledger, 1_000)
  expect(await run({ cost: cap })).toBe('held')
  expect(await run({}, { of: other })).toBe('held')
  expect(await run({}, { micros: 0 })).toBe('held')
  expect(await run({}, { action: 'topups' })).toBe('held')
  expect(await run({}, { micros: 0, inference: true })).toBe('uncharged_cap')
  await database.query('update uncharged_day set day = day - 1')
  expect(await run({})).toBe('held')
  const dropped = await database.query(
    `select forget_uncharged(now() + interval '1 day', 10) as rows`,
  )
  expect(dropped).toEqual([{ rows: 1 }])
  expect(await createUnchargedCosts(database).begin(account)).toBeDefined()
})

test('calls that cost nothing however they end are not refused', async () => {
  const { run, hold } = await start()
  expect(await run({ cost: cap })).toBe('held')
  expect((await hold({ costless: true })).outcome).toBe('held')
  expect((await hold({ costless: false })).outcome).toBe('uncharged_cap')
})

test('a key with limits may cause a quarter of the cap, and all of them a half, so that other keys go on', async () => {
  const { waste, limitedKey, account, ledger } = await start()
  const [one, two, three] = [await limitedKey(), await limitedKey(), await limitedKey()]
  expect(await waste(one, 200)).toBe('held')
  expect(await waste(one, 10_000)).toBe('held')
  expect(await waste(one, 1)).toBe('uncharged_cap')
  // What the first key has caused beyond the half does not count against the account.
  for (const limited of [two, three]) expect(await waste(limited, 1)).toBe('uncharged_cap')
  expect(await waste(account.keyId, 499)).toBe('held')
  expect(await waste(account.keyId, 1)).toBe('held')
  expect(await waste(account.keyId, 1)).toBe('uncharged_cap')
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('a key with limits that has caused its quarter leaves the others theirs', async () => {
  const { waste, limitedKey } = await start()
  const [one, two] = [await limitedKey(), await limitedKey()]
  expect(await waste(one, 250)).toBe('held')
  expect(await waste(one, 1)).toBe('uncharged_cap')
  expect(await waste(two, 1)).toBe('held')
})

test('near the cap few calls are in flight at once, so that those that end cannot exceed it by much', async () => {
  const { waste, hold, account, ledger } = await start()
  const { accountId, keyId } = account
  const ids = Array.from({ length: 10 }, () => uuidv7(clock.now()))
  for (const callId of ids) expect((await hold({ callId })).outcome).toBe('held')
  for (const callId of ids) await ledger.settle({ callId, accountId, state: 'voided', charged: 0 })
  expect(await waste(keyId, (cap * 3) / 4)).toBe('held')
  const outcomes = []
  for (const callId of ids.map(() => uuidv7(clock.now())))
    outcomes.push({ callId, ...(await hold({ callId })) })
  expect(outcomes.map(({ outcome }) => outcome)).toEqual([
    ...Array(4).fill('held'),
    ...Array(6).fill('uncharged_busy'),
  ])
  const [first] = outcomes
  await ledger.settle({ callId: first?.callId ?? '', accountId, state: 'settled', charged: 1 })
  expect((await hold()).outcome).toBe('held')
})

test('all gateways count together, calls without a row included', async () => {
  const { run, costs, account, connectionString } = await start()
  const two = await openLedger({ connectionString })
  const there = createUnchargedCosts(two.database)
  await (await there.begin(account))?.(cap - 1)
  await (await costs.begin(account))?.(1)
  expect(await there.begin(account)).toBeUndefined()
  expect(await run({})).toBe('uncharged_cap')
})

test('a burst of free calls is counted before it runs, and by its true cost when it ends', async () => {
  const { costs, account, database } = await start()
  await database.query('update uncharged_cap set micros_max = 100000')
  const begun = await Promise.all(Array.from({ length: 50 }, () => costs.begin(account)))
  const ends = begun.filter((end) => end !== undefined)
  expect(ends).toHaveLength(10)
  await Promise.all(ends.map((end) => end(1)))
  expect(await database.query('select micros from uncharged_day')).toEqual([{ micros: 10 }])
  // The count of a call that ends after midnight stays with the day of its begin.
  const late = await costs.begin(account)
  await database.query('update uncharged_day set day = day - 1')
  await late?.(0)
  expect(await costs.begin(account)).toBeDefined()
})

test('the calls under way of an account that pays nothing hold ten times the cap at most', async () => {
  const { hold, account, ledger } = await start()
  const { accountId } = account
  const held: string[] = []
  let outcome = 'held'
  for (let call = 0; call < 300 && outcome === 'held'; call += 1) {
    const callId = uuidv7(clock.now())
    outcome = (await hold({ callId })).outcome
    if (outcome === 'held') held.push(callId)
  }
  expect([held.length, outcome]).toEqual([(10 * cap) / 100, 'uncharged_busy'])
  // Calls that cost nothing are not refused.
  expect((await hold({ costless: true })).outcome).toBe('held')
  // What it pays is added.
  const [first] = held
  await ledger.settle({ callId: first ?? '', accountId, state: 'settled', charged: 100 })
  expect([(await hold()).outcome, (await hold()).outcome]).toEqual(['held', 'uncharged_busy'])
  expect(await ledger.verify()).toMatchObject({ ok: true })
})

test('a spend lease ends with the cap, so chats on it are refused too', async () => {
  const { database, ledger, account } = await start()
  const { hold, settle } = createChats(ledger, account)
  await warm(database, { hold, settle })
  let held = 0
  await expect
    .poll(
      async () => {
        const { callId, outcome } = await hold(10)
        if (outcome !== 'held') return outcome
        held += 1
        await settle(callId, 0, { cost: 100 })
        return outcome
      },
      { interval: 10 },
    )
    .toBe('uncharged_cap')
  expect(held).toBeGreaterThanOrEqual(10)
  // No lease opens again.
  for (let call = 0; call < 5; call += 1) expect((await hold(10)).outcome).toBe('uncharged_cap')
  await expect.poll(() => database.query('select 1 from lease'), { interval: 50 }).toEqual([])
  expect(await ledger.verify()).toMatchObject({ ok: true })
})
