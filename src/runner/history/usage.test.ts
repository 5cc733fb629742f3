import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createUsageSums, type UsageRow } from './usage.ts'

const dayMs = 24 * 60 * 60_000
/**
 * Its days have 23 and 25 hours in the weeks below; the second one begins its days at a half hour, the third at a
 * quarter.
 */
const timeZones = ['Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/Sao_Paulo', 'UTC']
const firstMs = Date.UTC(2026, 9, 20)
const days = 14

async function setUp() {
  const { database, ledger } = await openLedger()
  const usage = createUsageSums({ database, ledger, log })
  onTestFinished(usage.close)
  /** A call that began at this time, and has ended. */
  async function call(
    account: Awaited<ReturnType<typeof openAccount>>,
    at: number,
    { charged = 0, cost, action = 'test/echo', error }: EndedCall,
  ) {
    const callId = uuidv7(Date.now())
    await account.hold(charged, { callId, action })
    await database.query('update call set created_at = $2 where id = $1', [callId, new Date(at)])
    await ledger.settle({
      callId,
      accountId: account.accountId,
      charged: error === undefined ? charged : 0,
      ...(error === undefined ? { output: '{}' } : { error, message: 'It failed.' }),
      state: error === undefined ? 'settled' : 'voided',
      ...(cost === undefined ? {} : { cost }),
    })
  }
  return { database, ledger, usage, call }
}

interface EndedCall {
  readonly charged?: number
  readonly cost?: number | undefined
  readonly action?: string
  readonly error?: string | undefined
}

/** The date in this time zone, as the runtime's own tables have it. */
const dayIn = (timeZone: string, at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)

test('sums by day, action and key equal the ledger in any time zone, summed up or not', async () => {
  const { database, ledger, usage, call } = await setUp()
  const event = fc.record({
    who: fc.nat(1),
    at: fc.integer({ min: firstMs, max: firstMs + days * dayMs - 1 }),
    charged: fc.integer({ min: 0, max: 60 }),
    cost: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
    action: fc.constantFrom('test/echo', 'test/page', 'other/find'),
    error: fc.option(fc.constantFrom('upstream_error', 'not_found'), { nil: undefined }),
    sumsUp: fc.boolean(),
  })
  const query = { from: new Date(firstMs), until: new Date(firstMs + days * dayMs), limit: 10_000 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 20 }),
      fc.constantFrom(...timeZones),
      async (events, timeZone) => {
        const accounts = [
          await openAccount(database, ledger, 10_000),
          await openAccount(database, ledger, 10_000),
        ] as const
        for (const { who, at, sumsUp, ...ended } of events) {
          await call(who === 0 ? accounts[0] : accounts[1], at, ended)
          if (sumsUp) await usage.sum()
        }
        for (const { accountId } of accounts) {
          const by = ['day', 'action', 'key'] as const
          const { rows } = await usage.ofAccount({ accountId }, { ...query, timeZone, by })
          expect(rows.map(toLine).sort()).toEqual(await sumLedger(accountId, timeZone))
        }
      },
    ),
    { numRuns: 12 },
  )
  expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })
  await usage.sum()
  expect(await ledger.verify()).toMatchObject({ ok: true, problems: [] })

  /** The same sums from calls and postings alone. */
  async function sumLedger(accountId: string, timeZone: string): Promise<string[]> {
    const calls = await database.query<{
      createdAt: Date
      action: string
      key: string
      state: string
      posted: number
      cost: number | null
    }>(
      `select c.created_at as "createdAt", c.action, c.key_id as key, c.state, c.cost, coalesce(t.amount, 0) as posted
       from call c left join transfer t on t.call_id = c.id and t.kind = 'charge' where c.account_id = $1`,
      [accountId],
    )
    const lines = new Map<string, UsageRow>()
    for (const { createdAt, action, key, state, posted, cost } of calls) {
      const group = { day: dayIn(timeZone, createdAt), action, key }
      const name = JSON.stringify(group)
      const row = lines.get(name) ?? { ...group, ...nothing }
      lines.set(name, {
        ...row,
        calls: row.calls + 1,
        failedCalls: row.failedCalls + (state === 'voided' ? 1 : 0),
        charged: row.charged + posted,
        cost: row.cost + (cost ?? 0),
        callsWithKnownCost: row.callsWithKnownCost + (cost === null ? 0 : 1),
      })
    }
    return [...lines.values()].map(toLine).sort()
  }
})

const nothing = {
  calls: 0,
  failedCalls: 0,
  charged: 0,
  refunded: 0,
  cost: 0,
  callsWithKnownCost: 0,
}

const toLine = ({ day, action, key, ...row }: UsageRow) =>
  JSON.stringify([
    day,
    action,
    key,
    row.calls,
    row.failedCalls,
    row.charged,
    row.refunded,
    row.cost,
    row.callsWithKnownCost,
  ])

test('what calls would have been charged at the price of the catalog follows the price that they were quoted', async () => {
  const { database, ledger, usage, call } = await setUp()
  const account = await openAccount(database, ledger, 10_000)
  const action = 'test/priced'
  const change = (seconds: number, price: number, catalogPrice: number) =>
    database.query('insert into price_change values ($1, $2, $3, $4)', [
      ...[action, new Date(firstMs + seconds * 1_000), price, catalogPrice],
    ])
  await change(100, 3, 2)
  await change(200, 1, 2)
  const at = (seconds: number, charged: number, cost?: number) =>
    call(account, firstMs + seconds * 1_000, { action, charged, cost })
  await at(50, 200, 20)
  await at(150, 300, 80)
  await at(250, 100)
  // It may have been quoted at either price: the higher one makes its share of cost the larger one.
  await at(200.5, 300)
  const expected = {
    charged: 900,
    chargedAtCatalog: 800,
    cost: 100,
    worstCost: 80,
    worstCostShare: 400_000,
  }
  expect(await usage.ofAction(action, new Date(firstMs))).toMatchObject(expected)
  await usage.sum()
  expect(await usage.ofAction(action, new Date(firstMs))).toMatchObject(expected)
})

test('two gateways that sum up at once count each call once', async () => {
  const { database, ledger, usage, call } = await setUp()
  const other = createUsageSums({ database, ledger, log })
  onTestFinished(other.close)
  const account = await openAccount(database, ledger, 1_000)
  await Promise.all(Array.from({ length: 40 }, () => call(account, firstMs, { charged: 3 })))
  await Promise.all([usage.sum(), other.sum(), usage.sum()])
  await usage.sum()
  const query = {
    from: new Date(firstMs),
    until: new Date(firstMs + 1),
    timeZone: 'UTC',
    limit: 10,
  }
  const { rows } = await usage.ofAccount(account, { ...query, by: [] })
  expect(rows).toMatchObject([{ calls: 40, charged: 120 }])
  expect(await database.query('select 1 from usage_event')).toEqual([])
})

test('errors are counted by code, and durations of successful calls to 5 %', async () => {
  const { database, ledger, usage, call } = await setUp()
  const account = await openAccount(database, ledger, 1_000)
  const now = Date.now()
  for (const secondsAgo of [1, 2, 3, 100])
    await call(account, now - secondsAgo * 1_000, { charged: 1, cost: 2 })
  for (let times = 0; times < 3; times += 1) await call(account, now, { error: 'rate_limited' })
  const query = {
    from: new Date(now - dayMs),
    until: new Date(now + 1),
    timeZone: 'UTC',
    limit: 10,
  }
  for (const summed of [false, true]) {
    if (summed) await usage.sum()
    const { rows } = await usage.ofActions({ ...query, by: ['action', 'error'] })
    expect(rows).toMatchObject([
      { action: 'test/echo', error: '', calls: 4, failedCalls: 0, charged: 4, cost: 8 },
      { action: 'test/echo', error: 'rate_limited', calls: 3, failedCalls: 3, charged: 0, cost: 0 },
    ])
    const [took] = await usage.durations('action', query)
    expect(took?.name).toBe('test/echo')
    // The middle of four is the second; the slowest but one in twenty is the slowest.
    expect(took?.p95Ms).toBeGreaterThan(95_000)
    expect(took?.p50Ms).toBeGreaterThan(1_900)
  }
})

test('a time zone that does not exist is refused', async () => {
  const { ledger, database, usage } = await setUp()
  const account = await openAccount(database, ledger, 0)
  const query = { from: new Date(firstMs), until: new Date(), by: ['day'] as const, limit: 10 }
  await expect(
    usage.ofAccount(account, { ...query, timeZone: 'Europe/Atlantis' }),
  ).rejects.toMatchObject({ code: 'bad_request' })
})
