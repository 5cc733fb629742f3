// Measures hold and settle pairs a second of the ledger, by batch size and number of callers.
import { uuidv7 } from '#core/id.ts'
import { createGroupCommit, type GroupCommit } from '#money/ledger/group-commit.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { openMeasuredDatabase } from './lib/measured-database.ts'
import { printTable } from './lib/print-table.ts'

const batchSizes = [1, 16, 64, 256, 1_024]
const callersTried = [32, 128, 512]
const rounds = 3
const sliceMs = 1_000
const holdMicros = 100

const { database, openAccount, close } = await openMeasuredDatabase()
const accounts = await Promise.all(
  Array.from({ length: Math.max(...callersTried) }, openRichAccount),
)
const measured = new Map<string, number[]>()

for (let round = 0; round < rounds; round += 1) {
  for (const callers of callersTried) {
    for (const size of batchSizes) {
      const commit = await createGroupCommit({
        database,
        gatewayNumber: size,
        inFlightMax: 1_000_000,
        operationsPerBatchMax: size,
        clock,
        log,
      })
      const key = `${callers}/${size}`
      measured.set(key, [...(measured.get(key) ?? []), await pairsPerSecond(commit, callers)])
      await commit.close()
    }
  }
}

const median = (values: readonly number[] = []) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const rows = callersTried.map((callers) => {
  const whole = median(measured.get(`${callers}/256`))
  return [
    callers,
    ...batchSizes.map((size) => (median(measured.get(`${callers}/${size}`)) / whole).toFixed(2)),
    Math.round(whole),
  ]
})
const head = ['callers', ...batchSizes.map((size) => `batches of ${size}`), 'pairs/s at 256']
printTable(head, rows)

await close()

async function openRichAccount() {
  const account = await openAccount()
  await database.query('select ledger_credit($1, $2, $3)', [account.accountId, 1e12, 'benchmark'])
  return account
}

async function pairsPerSecond(commit: GroupCommit, callers: number): Promise<number> {
  const startedAt = performance.now()
  let pairs = 0
  const call = async ({ accountId, keyId }: (typeof accounts)[number]) => {
    while (performance.now() - startedAt < sliceMs) {
      const callId = uuidv7(clock.now())
      await commit.hold({
        callId,
        accountId,
        keyId,
        action: 'bench/noop',
        micros: holdMicros,
        lifetimeMs: 60_000,
      })
      await commit.settle({
        callId,
        accountId,
        state: 'settled',
        charged: holdMicros,
        output: '{"echo":"hello"}',
      })
      pairs += 1
    }
  }
  await Promise.all(accounts.slice(0, callers).map(call))
  return pairs / ((performance.now() - startedAt) / 1_000)
}
