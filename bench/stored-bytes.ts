// Measures what one paid call writes: rows and index entries, the log of the database (WAL), and the bytes that stay.
// Calls are held and settled by the ledger, as the gateway does, by themselves and on leases, and the sums of usage are
// made.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { uuidv7 } from '#core/id.ts'
import { addLeases } from '#money/leases/leases.ts'
import { createLedger } from '#money/ledger/ledger.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { openMeasuredDatabase } from './lib/measured-database.ts'
import { printTable } from './lib/print-table.ts'
import { readWritten, storedBytes } from './lib/written.ts'

const calls = Number(process.argv[2] ?? 1_000)
const callers = 16
const output = JSON.stringify({
  results: [{ title: 'A title', url: 'https://example.com/page', score: 0.5 }],
})

const perCall = (total: number) => Math.round(total / calls)

const measured = await openMeasuredDatabase()
const { database } = measured
const journalDirectory = await makeDataDirectory()
const books = { database, clock, log, inFlightMax: 1_000, journalDirectory }
const ledger = await addLeases(await createLedger(books), books)
try {
  const accounts = await Promise.all(Array.from({ length: callers }, () => measured.openAccount()))
  for (const { accountId } of accounts) await ledger.credit(accountId, 1e9, 'benchmark')
  const rows = []
  for (const [name, kind] of [
    ['held by itself', {}],
    ['held by itself, with an Idempotency-Key', { isKeyed: true }],
    ['on a lease', { isOnLease: true }],
    ['on a lease, with an Idempotency-Key', { isOnLease: true, isKeyed: true }],
  ] as const) {
    await pay(callers * 4, kind)
    const before = await readWritten(database)
    await pay(calls, kind)
    const held = await readWritten(database)
    await sumUsage()
    const after = await readWritten(database)
    rows.push([
      name,
      perCall(held.walBytes - before.walBytes),
      perCall(held.walRecords - before.walRecords),
      perCall(after.walBytes - held.walBytes),
      perCall((after.fullPages - before.fullPages) * 8_192),
      perCall(storedBytes(after) - storedBytes(before)),
    ])
    for (const [relation, bytes] of after.relations) {
      const grown = bytes - (before.relations.get(relation) ?? 0)
      if (grown > 0) rows.push([`- ${relation}`, '', '', '', '', perCall(grown)])
    }
  }
  printTable(
    [
      'per call',
      'WAL bytes',
      'WAL records',
      'WAL bytes of usage sums',
      'of it whole pages at most',
      'bytes stored',
    ],
    rows,
  )
} finally {
  await ledger.close()
  await measured.close()
  await rm(journalDirectory, { recursive: true, force: true })
}

interface Kind {
  readonly isKeyed?: boolean
  readonly isOnLease?: boolean
}

async function pay(count: number, kind: Kind) {
  const accounts = await database.query<{ accountId: string; keyId: string }>(
    'select account_id as "accountId", id as "keyId" from api_key order by id',
  )
  let left = count
  await Promise.all(
    accounts.map(async ({ accountId, keyId }) => {
      while (left > 0) {
        left -= 1
        await payOnce(accountId, keyId, kind)
      }
    }),
  )
}

async function payOnce(accountId: string, keyId: string, { isKeyed, isOnLease = false }: Kind) {
  const callId = uuidv7(clock.now())
  const own = { callId, accountId, action: 'bench/noop' }
  const key = isKeyed
    ? { idempotencyKey: randomUUID(), requestDigest: Buffer.alloc(32, callId) }
    : {}
  const lease = { mayUseLease: isOnLease, waitsForBooks: isOnLease }
  const held = await ledger.hold({
    ...own,
    ...key,
    ...lease,
    keyId,
    micros: 1_000,
    lifetimeMs: 60_000,
  })
  if (held.outcome !== 'held') throw new Error(`The hold was ${held.outcome}.`)
  const settled = await ledger.settle({ ...own, state: 'settled', charged: 1_000, output })
  if (settled.outcome !== 'done') throw new Error('The call was not settled.')
}

async function sumUsage() {
  for (;;) {
    const [row] = await database.query<{ summed: number }>('select sum_usage(1000) as summed')
    if (!row?.summed) return
  }
}
