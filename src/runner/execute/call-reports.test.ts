// Reports of ended calls are told once, and none is lost with the gateway that tells it.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CallHooks, ReportedCall } from '#core/calls/call-hooks.ts'
import { systemClock } from '#platform/clock.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { openCallReports } from './call-reports.ts'

async function openTestDatabase(connectionString: string): Promise<Database> {
  const database = openDatabase({ connectionString, log: silentLog })
  onTestFinished(database.close)
  return database
}

/** A gateway's part that tells, and what it has told so far. */
async function startTelling(
  database: Database,
  afterCall: NonNullable<CallHooks['afterCall']> = () => {},
  clock = systemClock,
) {
  const told: ReportedCall[] = []
  const hooks = {
    afterCall: (call: ReportedCall) => {
      told.push(call)
      return afterCall(call)
    },
  }
  const log = { ...silentLog, error: vi.fn() }
  const reports = await openCallReports({
    hooks: [{ plugin: 'rules', hooks }],
    database,
    clock,
    log,
  })
  onTestFinished(reports.close)
  return { told, log, ...reports }
}

const write = (database: Database, calls: number) =>
  database.query(
    `insert into call_report (call_id, account_id, action, state, charged)
     select gen_random_uuid(), $1, 'test/echo', 'settled', 20000 from generate_series(1, $2)`,
    [randomUUID(), calls],
  )
const untold = async (database: Database) =>
  (await database.query<{ count: number }>('select count(*) from call_report'))[0]?.count

test('two gateways tell each call once', async () => {
  const databaseUrl = await createTestDatabase()
  const databases = await Promise.all([1, 2].map(() => openTestDatabase(databaseUrl)))
  const gateways = await Promise.all(databases.map((database) => startTelling(database)))
  const [database] = databases as [Database]
  await write(database, 200)
  await until(async () => (await untold(database)) === 0)
  const ids = gateways.flatMap(({ told }) => told.map(({ transactionId }) => transactionId))
  expect([ids.length, new Set(ids).size]).toEqual([200, 200])
})

test('a call is told again if the database stops before its hook has ended', async () => {
  const databaseUrl = await createTestDatabase()
  const [first, second] = await Promise.all([1, 2].map(() => openTestDatabase(databaseUrl)))
  if (first === undefined || second === undefined) throw new Error('There are two.')
  const gate = Promise.withResolvers<void>()
  const broken = await startTelling(first, () => gate.promise)
  await write(second, 1)
  await until(async () => broken.told.length === 1)
  const working = await startTelling(second)
  await second.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'`,
  )
  await until(async () => working.told.length === 1)
  expect(working.told).toEqual(broken.told)
  gate.resolve()
})

test('a hook that does not end holds up the next call for a time, and is given up', async () => {
  const database = await openTestDatabase(await createTestDatabase())
  const slept: number[] = []
  const clock = {
    ...systemClock,
    sleep: (delayMs: number, signal?: AbortSignal) => {
      slept.push(delayMs)
      return systemClock.sleep(Math.min(delayMs, 20), signal)
    },
  }
  const { told, log } = await startTelling(database, () => new Promise(() => {}), clock)
  await write(database, 6)
  await until(async () => (await untold(database)) === 0)
  expect(told).toHaveLength(6)
  expect(slept).toContain(10_000)
  expect(log.error).toHaveBeenCalledTimes(6)
})

test('the end of a gateway tells what has ended by then', async () => {
  const database = await openTestDatabase(await createTestDatabase())
  const gateway = await startTelling(database)
  await write(database, 12)
  await gateway.close()
  expect(gateway.told).toHaveLength(12)
  expect(await untold(database)).toBe(0)
})
