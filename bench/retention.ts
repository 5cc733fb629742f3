// Measures paid calls while old answers are dropped: in one statement, and in the steps of the gateway.
import { setTimeout as delay } from 'node:timers/promises'
import { uuidv7 } from '#core/id.ts'
import { createGroupCommit } from '#money/ledger/group-commit.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createRetention } from '#runner/history/retention.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { openMeasuredDatabase } from './lib/measured-database.ts'
import { printTable } from './lib/print-table.ts'

const oldCalls = 288_000
const oldDays = 40
const insertedAtOnce = 16_000
const callers = 32
const quietMs = 10_000
const holdMicros = 100

const { database, openAccount, close } = await openMeasuredDatabase()
const commit = await createGroupCommit({
  database,
  gatewayNumber: 1,
  inFlightMax: 1_000_000,
  clock,
  log,
})
const retention = createRetention({ database, clock, log, alsoOld: [] })
const accounts = await Promise.all(Array.from({ length: callers }, openRichAccount))

const ways = {
  'nothing dropped': () => delay(quietMs),
  'one statement': () =>
    database.query(`update call set output = null, idempotency_key = null
      where ended_at < now() - interval '30 days' and (output is not null or idempotency_key is not null)`),
  'steps of 500': () => retention.sweep(),
}
const rows: (string | number)[][] = []
let quiet: Measured | undefined
for (const [way, drop] of Object.entries(ways)) {
  if (way !== 'nothing dropped') await insertOldCalls()
  const measured = await pairsDuring(drop())
  quiet ??= measured
  rows.push([
    way,
    measured.seconds.toFixed(1),
    (measured.perSecond / quiet.perSecond).toFixed(2),
    (measured.p99Ms / quiet.p99Ms).toFixed(2),
    (measured.longestMs / quiet.longestMs).toFixed(2),
  ])
}
const head = ['dropped by', 'seconds', '× pairs/s', '× p99 of a pair', '× longest pair']
printTable(head, rows)
await commit.close()
await retention.close()
await close()

async function openRichAccount() {
  const account = await openAccount()
  await database.query('update balance set available = 1000000000000 where account_id = $1', [
    account.accountId,
  ])
  return account
}

async function insertOldCalls() {
  const { accountId, keyId } = accounts[0] as { accountId: string; keyId: string }
  await database.query(`update retention set reached = '00000000-0000-0000-0000-000000000000'`)
  await database.query(`delete from call where created_at < now() - interval '30 days'`)
  for (let inserted = 0; inserted < oldCalls; inserted += insertedAtOnce) {
    const ids = Array.from({ length: insertedAtOnce }, () =>
      uuidv7(Date.now() - oldDays * 86_400_000),
    )
    await database.query(
      `insert into call (id, account_id, key_id, action, state, held, idempotency_key, output, gateway_id, created_at, expires_at, ended_at)
       select id, $2, $3, 'test/echo', 'settled', 1, id::text, repeat(md5(id::text), 30), 0, at, at, at
       from unnest($1::uuid[]) as id, (select now() - $4 * interval '1 day' as at) as old`,
      [ids, accountId, keyId, oldDays],
    )
  }
  await database.query('vacuum analyze call')
  await database.query('checkpoint').catch(() => {})
}

interface Measured {
  seconds: number
  perSecond: number
  p99Ms: number
  longestMs: number
}

async function pairsDuring(work: Promise<unknown>): Promise<Measured> {
  let isOver = false
  const startedMs = performance.now()
  const tookMs: number[] = []
  work.finally(() => {
    isOver = true
  })
  await Promise.all(
    accounts.map(async ({ accountId, keyId }) => {
      while (!isOver) {
        const beganMs = performance.now()
        const callId = uuidv7(Date.now())
        const hold = { callId, accountId, keyId, action: 'test/echo', micros: holdMicros }
        await commit.hold({ ...hold, lifetimeMs: 60_000 })
        await commit.settle({
          callId,
          accountId,
          state: 'settled',
          charged: holdMicros,
          output: '{}',
        })
        tookMs.push(performance.now() - beganMs)
      }
    }),
  )
  const seconds = (performance.now() - startedMs) / 1_000
  const sorted = tookMs.toSorted((a, b) => a - b)
  return {
    seconds,
    perSecond: sorted.length / seconds,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  }
}
