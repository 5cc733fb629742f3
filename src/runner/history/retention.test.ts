import { expect, onTestFinished, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { shareGatewayOfWorker, verify } from '#test/harness.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { createRetention } from './retention.ts'

const shared = shareGatewayOfWorker()

const dayMs = 24 * 60 * 60_000

async function setUp() {
  const { database, ledger } = await openLedger()
  const { accountId, keyId } = await openAccount(database, ledger, 0)
  const retention = createRetention({ database, clock, log, alsoOld: [] })
  onTestFinished(retention.close)
  /** Calls that were made this many days ago. */
  const insert = async (
    daysAgo: number,
    count: number,
    more: { held?: number; state?: string } = {},
  ) => {
    const { held = 1, state = 'settled' } = more
    const ids = Array.from({ length: count }, () => uuidv7(Date.now() - daysAgo * dayMs))
    await database.query(
      `insert into call (id, account_id, key_id, action, state, held, idempotency_key, output, gateway_id, expires_at, ended_at)
       select id, $2, $3, 'test/echo', $4, $5, id::text, '{}', 0, now(), case $4 when 'held' then null else now() end
       from unnest($1::uuid[]) as id`,
      [ids, accountId, keyId, state, held],
    )
  }
  const count = async (where: string) => {
    const [row] = await database.query<{ count: number }>(
      `select count(*) from call where ${where}`,
    )
    return row?.count
  }
  return { database, retention, insert, count }
}

test('outputs and idempotency keys are dropped after 30 days, except those of open calls', async () => {
  const { retention, insert, count } = await setUp()
  await insert(31, 1_200)
  await insert(31, 3, { state: 'held' })
  await insert(29, 5)
  await retention.sweep()
  expect(await count('output is not null and idempotency_key is not null')).toBe(8)
  expect(await count('true')).toBe(1_208)
  await insert(30.5, 2)
  await retention.sweep()
  expect(await count('output is not null')).toBe(8)
})

test('answers that were kept beside those of their calls are dropped after 30 days', async () => {
  const { database, retention } = await setUp()
  const ids = [31, 29].map((daysAgo) => uuidv7(Date.now() - daysAgo * dayMs))
  await database.query(
    `insert into kept_answer (id, call_id, action, output) select id, id, 'a/b', '{}' from unnest($1::uuid[]) as id`,
    [ids],
  )
  await retention.sweep()
  expect(await database.query('select id from kept_answer')).toEqual([{ id: ids[1] }])
})

test('a step skips the calls of earlier steps', async () => {
  const { database, retention, insert } = await setUp()
  await insert(31, 700)
  await retention.sweep()
  await database.query('set enable_seqscan = off')
  const [row] = await database.query<{ looked: number }>(
    `select forget_outputs(now() + interval '1 day', 500) as looked`,
  )
  expect(row?.looked).toBe(0)
})

test('two gateways that sweep at once drop everything', async () => {
  const { database, retention, insert, count } = await setUp()
  await insert(31, 1_600)
  const other = createRetention({ database, clock, log, alsoOld: [] })
  onTestFinished(other.close)
  await Promise.all([retention.sweep(), other.sweep()])
  await retention.sweep()
  expect(await count('output is not null')).toBe(0)
})

test('free calls with an idempotency key are removed after a day, paid ones stay', async () => {
  const { retention, insert, count } = await setUp()
  await insert(2, 600, { held: 0 })
  await insert(2, 4)
  await insert(0.5, 3, { held: 0 })
  await retention.sweep()
  expect(await count('true')).toBe(7)
})

test('vendor ids are dropped after 30 days, and counts of limits after two months, however many', async () => {
  const { database, retention } = await setUp()
  await database.query(
    `insert into vendor_handle (account_id, namespace, kind, id, created_at)
     select gen_random_uuid(), 'test', 'task', n::text, now() - case when n <= 1200 then 31 else 29 end * interval '1 day'
     from generate_series(1, 1203) n`,
  )
  await database.query(
    `insert into key_spend (key_id, period, starts, micros)
     select id, 'day', current_date - n, 1 from api_key, generate_series(0, 700) n`,
  )
  await retention.sweep()
  const [left] = await database.query<{ handles: number; days: number }>(
    `select (select count(*) from vendor_handle) as handles,
       (select count(*) from key_spend where starts > current_date - 60) as days,
       (select count(*) from key_spend where starts < current_date - 64) as old`,
  )
  expect(left).toEqual({ handles: 3, days: 60, old: 0 })
})

test('an account keeps its last hundred free calls, and the last of them is replayed', async () => {
  const gateway = shared()
  const account = await gateway.account(10)
  const send = (turn: number) =>
    account.call('test/free', { text: String(turn) }, { 'idempotency-key': `free-${turn}` })
  for (let turn = 0; turn < 130; turn += 1) expect((await send(turn)).status).toBe(200)
  // The next call removes those beyond the limit.
  await until(async () => (await account.state()).transactions <= 101)
  const replayed = await send(129)
  expect(replayed.headers.get('idempotency-replayed')).toBe('true')
  expect((await send(0)).headers.get('idempotency-replayed')).toBeNull()
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})

test('closed sessions are dropped after 90 days, and their commands after a day; open ones stay', async () => {
  const { database, retention } = await setUp()
  const [account] = await database.query<{ id: string }>('select id from account limit 1')
  const session = async (daysAgo: number, state: string) => {
    const id = uuidv7(Date.now() - daysAgo * dayMs)
    const at = new Date(Date.now() - daysAgo * dayMs)
    const ended = state === 'closed' ? at : null
    await database.query(
      `insert into session (id, account_id, action, state, gateway_id, tariff, reserve, created_at, last_seen_at, last_used_at, ended_at)
       values ($1, $2, 'boxes/create_session', $3, 0, '{}', 1, $4, $4, $4, $5)`,
      [id, account?.id, state, at, ended],
    )
    await database.query(
      `insert into session_command (session_id, key, digest, gateway_id, created_at) values ($1, 'key', '', 0, $2)`,
      [id, at],
    )
    return id
  }
  await session(91, 'closed')
  const kept = [
    await session(91, 'suspended'),
    await session(89, 'closed'),
    await session(0, 'open'),
  ]
  await retention.sweep()
  const left = await database.query<{ id: string }>('select id from session order by id')
  expect(left.map(({ id }) => id)).toEqual(kept)
  const commands = await database.query('select session_id from session_command')
  expect(commands).toEqual([{ session_id: kept[2] }])
})
