// Measures hold and settle pairs of the ledger: a second, by batch size and number of callers; and at several gateways
// while a part of the calls is of one account, beside the same calls without it.
// --gateways (4), --callers of each (32), and --share of the busy account (0.05) belong to the second table, the only
// one with --busy.
import { parseArgs } from 'node:util'
import { uuidv7 } from '#core/id.ts'
import { createGroupCommit, type GroupCommit } from '#money/ledger/group-commit.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { openMeasuredDatabase } from './lib/measured-database.ts'
import { printTable } from './lib/print-table.ts'

const { values: options } = parseArgs({
  options: {
    gateways: { type: 'string', default: '4' },
    callers: { type: 'string', default: '32' },
    share: { type: 'string', default: '0.05' },
    busy: { type: 'boolean', default: false },
  },
})
const batchSizes = [1, 16, 64, 256, 1_024]
const callersTried = [32, 128, 512]
const gatewayCount = Number(options.gateways)
const busyShare = Number(options.share)
const rounds = 3
const sliceMs = 1_000
const holdMicros = 100

const { database, openAccount, close } = await openMeasuredDatabase()
type Account = Awaited<ReturnType<typeof openAccount>>
const callersMax = Math.max(...callersTried, gatewayCount * Number(options.callers))
const busyAccount = await openRichAccount()
const accounts = await Promise.all(Array.from({ length: callersMax }, openRichAccount))
let gatewayNumbers = 0

if (!options.busy) await measureSizes()
await measureBusyAccount()
await close()

async function openRichAccount() {
  const account = await openAccount()
  await database.query('select ledger_credit($1, $2, $3)', [account.accountId, 1e12, 'benchmark'])
  return account
}

async function openCommit(operationsPerBatchMax?: number): Promise<GroupCommit> {
  gatewayNumbers += 1
  return await createGroupCommit({
    database,
    gatewayNumber: gatewayNumbers,
    inFlightMax: 1_000_000,
    ...(operationsPerBatchMax === undefined ? {} : { operationsPerBatchMax }),
    clock,
    log,
  })
}

async function measureSizes() {
  const measured = new Map<string, number[]>()
  for (let round = 0; round < rounds; round += 1)
    for (const callers of callersTried)
      for (const size of batchSizes) {
        const commit = await openCommit(size)
        const { perSecond } = await callInTurn([commit], { callers, share: 0 })
        const name = `${callers}/${size}`
        measured.set(name, [...(measured.get(name) ?? []), perSecond])
        await commit.close()
      }
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
}

async function measureBusyAccount() {
  const commits: GroupCommit[] = []
  for (let place = 0; place < gatewayCount; place += 1) commits.push(await openCommit())
  const measured = new Map<number, Measured[]>([
    [0, []],
    [busyShare, []],
  ])
  const callers = gatewayCount * Number(options.callers)
  for (let round = 0; round < rounds; round += 1)
    for (const [share, reports] of measured)
      reports.push(await callInTurn(commits, { callers, share }))
  const head = ['busy account', 'pairs/s', 'p50 ms of others', 'p99 ms of others']
  const rows = [...measured].map(([share, reports]) => [
    `${Math.round(100 * share)} % of the calls`,
    Math.round(median(reports.map(({ perSecond }) => perSecond))),
    median(reports.map(({ p50Ms }) => p50Ms)).toFixed(1),
    median(reports.map(({ p99Ms }) => p99Ms)).toFixed(1),
  ])
  printTable(head, rows)
  for (const commit of commits) await commit.close()
}

function median(values: readonly number[] = []) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

interface Measured {
  readonly perSecond: number
  /** Of the calls of all accounts but the busy one. */
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Each caller has an account, and calls for it and sometimes for the busy one. */
async function callInTurn(
  commits: readonly GroupCommit[],
  { callers, share }: { readonly callers: number; readonly share: number },
): Promise<Measured> {
  const startedAt = performance.now()
  const timesMs: number[] = []
  let pairs = 0
  const callAll = async (own: Account, place: number) => {
    const commit = commits[place % commits.length] as GroupCommit
    for (let turn = place; performance.now() - startedAt < sliceMs; turn += 1) {
      const isBusy = share > 0 && turn % Math.round(1 / share) === 0
      const beganAt = performance.now()
      await callOnce(commit, isBusy ? busyAccount : own)
      pairs += 1
      if (!isBusy) timesMs.push(performance.now() - beganAt)
    }
  }
  await Promise.all(accounts.slice(0, callers).map(callAll))
  const perSecond = pairs / ((performance.now() - startedAt) / 1_000)
  timesMs.sort((a, b) => a - b)
  const at = (part: number) => timesMs[Math.floor(part * (timesMs.length - 1))] ?? 0
  return { perSecond, p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function callOnce(commit: GroupCommit, { accountId, keyId }: Account) {
  const callId = uuidv7(clock.now())
  await commit.hold({
    callId,
    accountId,
    keyId,
    action: 'bench/noop',
    micros: holdMicros,
    lifetimeMs: 60_000,
  })
  const output = '{"echo":"hello"}'
  await commit.settle({ callId, accountId, state: 'settled', charged: holdMicros, output })
}
