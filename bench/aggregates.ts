// Measures the sums of usage over a million calls: read from the sums by hour, and from the calls themselves.
import { createUsageSums, type UsageQuery } from '#runner/history/usage.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { openMeasuredDatabase } from './lib/measured-database.ts'
import { printTable } from './lib/print-table.ts'

const calls = 1_000_000
const insertedAtOnce = 50_000
const actions = 100
const accounts = 500
/** One account has made this part of all calls. */
const largestShare = 0.3
const days = 30
const timeZone = 'Europe/Berlin'
const dayMs = 86_400_000
const timesMeasured = 40

const { database, openAccount, close } = await openMeasuredDatabase()
const usage = createUsageSums({ database, ledger: { catchUp: async () => {} }, log })
const owners = await Promise.all(Array.from({ length: accounts }, openAccount))
const largest = owners[0] as { accountId: string }
await insertCalls()
await database.query('vacuum analyze')

const until = new Date()
const query = { from: new Date(until.getTime() - days * dayMs), until, timeZone, limit: 10_000 }
const ways = {
  'operator, by day and service': () => usage.ofActions({ ...query, by: ['day', 'service'] }),
  'operator, by day': () => usage.ofActions({ ...query, by: ['day'] }),
  'operator, by action': () => usage.ofActions({ ...query, by: ['action'] }),
  'operator, p50 and p95 by action': () => usage.durations('action', query),
  'largest account, by day and action': () => ofLargest(['day', 'action']),
  'largest account, by day': () => ofLargest(['day']),
  'largest account, by key': () => ofLargest(['key']),
  'from the calls: by day': fromCalls,
}
const rows = []
let base: number | undefined
for (const [way, read] of Object.entries(ways).toReversed()) {
  const took = await timesOf(read)
  base ??= took.p50
  rows.unshift([way, took.p50.toFixed(0), took.p95.toFixed(0), (base / took.p50).toFixed(1)])
}
const head = ['sums', 'p50 ms', 'p95 ms', '× faster than from the calls']
printTable(head, rows)
await usage.close()
await close()

function ofLargest(by: UsageQuery['by']) {
  return usage.ofAccount(largest, { ...query, by })
}

async function fromCalls() {
  return await database.query(
    `select (created_at at time zone $3)::date as day, count(*), sum(charged), sum(cost)
     from call where created_at >= $1 and created_at < $2 group by 1`,
    [query.from, query.until, timeZone],
  )
}

/** Ended calls, spread over the days. */
async function insertCalls() {
  for (let made = 0; made < calls; made += insertedAtOnce) {
    await database.query(
      `insert into call (id, account_id, key_id, action, state, held, charged, cost, error, gateway_id, created_at, expires_at, ended_at)
       select uuid_v7(at), owner.account, owner.key, 'service' || (action % 20) || '/action' || action,
         case when failed then 'voided' else 'settled' end, 20000, case when failed then 0 else 20000 end,
         9000, case when failed then 'upstream_error' end, 0, at, at, at + random() * interval '4 seconds'
       from (
         select now() - (random() * $2) * interval '1 day' as at, floor(random() * random() * $3)::integer as action, random() < 0.04 as failed,
           case when random() < $4 then 1 else 1 + floor(random() * $5)::integer end as place
         from generate_series(1, $1)
       ) c, lateral (select ($6::uuid[])[place] as account, ($7::uuid[])[place] as key) owner`,
      [
        insertedAtOnce,
        days,
        actions,
        largestShare,
        accounts,
        owners.map(({ accountId }) => accountId),
        owners.map(({ keyId }) => keyId),
      ],
    )
    await usage.sum()
  }
}

async function timesOf(read: () => Promise<unknown>) {
  const times = []
  for (let turn = 0; turn < timesMeasured; turn += 1) {
    const startedMs = performance.now()
    await read()
    times.push(performance.now() - startedMs)
  }
  times.sort((a, b) => a - b)
  return { p50: times[timesMeasured / 2] ?? 0, p95: times[Math.floor(timesMeasured * 0.95)] ?? 0 }
}
