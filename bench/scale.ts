// Measures what a paid call costs each part of a gateway, and asks a simulated fleet with these costs where 1,000 and
// 100,000 calls a second end. The simulation first predicts what was measured: each row by the costs of the others.
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '#platform/database/database.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { fitCosts, type MeasuredLoad } from './lib/call-costs.ts'
import { type CallCosts, type Fleet, type FleetLoad, simulateFleet } from './lib/fleet.ts'
import { generateLoad, writeRequest } from './lib/load.ts'
import { printTable } from './lib/print-table.ts'
import { cpuSeconds, readPostmasterPid } from './lib/processes.ts'
import { readWritten, storedBytes } from './lib/written.ts'

const callersTried = [1, 8, 32, 128]
const sliceMs = 4_000
const idleMs = 3_000
const secondsPerDay = 86_400
/** Between machines of one network. */
const networkMicros = 500
/** Gateways and processors are counted so that no more of their time is taken. */
const busyMost = 0.5
/** Of all calls, those of the account with the most. */
const busiestShare = 0.01
const databasesTried = 8
/** A session of PostgreSQL tells its counts at the first commit after a second. */
const countsAreLateMs = 1_100

const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const database = openDatabase({ connectionString: postgres.connectionString, log: silentLog })
const children: ChildProcess[] = []
try {
  const gateway = await startGateway()
  const pids = { gateway: gateway.pid, database: await readPostmasterPid(postgres.directory) }
  await measure(gateway, pids, 8)
  const idle = await measureIdle(pids)
  const loads: MeasuredLoad[] = []
  let written = { walBytes: 0, storedBytes: 0 }
  for (const callers of callersTried) {
    const measured = await measure(gateway, pids, callers)
    loads.push(measured.load)
    written = measured.written
  }
  const flush = measureFlush()
  const costsOf = (rows: readonly MeasuredLoad[]): CallCosts => ({
    ...fitCosts(rows, idle),
    flush,
    network: 0,
  })
  printCosts(costsOf(loads), written)
  printPredictions(loads, costsOf)
  printFleets({ ...costsOf(loads), network: networkMicros }, written)
} finally {
  for (const child of children) child.kill()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function startGateway() {
  const most = String(Math.max(...callersTried))
  const child = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), ['gateway', most], {
    env: { ...process.env, DATABASE_URL: postgres.connectionString, DATA_DIR: dataDir },
  })
  children.push(child)
  const started = await new Promise<{ url: string; keys: readonly string[] }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; keys: string[] }))
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}.`)))
  })
  return { ...started, pid: child.pid ?? 0 }
}

interface Pids {
  readonly gateway: number
  readonly database: number
}

async function read(pids: Pids) {
  const { user, system } = process.cpuUsage()
  return {
    gateway: await cpuSeconds(pids.gateway),
    database: await cpuSeconds(pids.database),
    caller: (user + system) / 1e6,
    written: await readWritten(database),
    atMs: performance.now(),
  }
}

/** What the parts do in a second without calls. */
async function measureIdle(pids: Pids) {
  const before = await read(pids)
  await delay(idleMs)
  const after = await read(pids)
  const seconds = (after.atMs - before.atMs) / 1_000
  return {
    gatewayMicros: ((after.gateway - before.gateway) * 1e6) / seconds,
    databaseMicros: ((after.database - before.database) * 1e6) / seconds,
    transactions: (after.written.transactions - before.written.transactions) / seconds,
  }
}

async function measure(
  { url, keys }: { url: string; keys: readonly string[] },
  pids: Pids,
  callers: number,
) {
  const requests = Array.from({ length: callers }, (_, caller) =>
    writeRequest(
      '/api/run/bench/noop',
      { text: 'hello' },
      { authorization: `Bearer ${keys[caller]}` },
    ),
  )
  const before = await read(pids)
  const { calls: asked, callsPerSecond } = await generateLoad({
    url,
    requests,
    durationMs: sliceMs,
  })
  await delay(countsAreLateMs)
  const last = await generateLoad({ url, requests: requests.slice(0, 1), durationMs: 1 })
  const calls = asked + last.calls
  const after = await read(pids)
  const load: MeasuredLoad = {
    callers,
    calls,
    callsPerSecond,
    seconds: (after.atMs - before.atMs) / 1_000,
    gatewaySeconds: after.gateway - before.gateway,
    databaseSeconds: after.database - before.database,
    callerSeconds: after.caller - before.caller,
    transactions: after.written.transactions - before.written.transactions,
  }
  return {
    load,
    written: {
      walBytes: (after.written.walBytes - before.written.walBytes) / calls,
      storedBytes: (storedBytes(after.written) - storedBytes(before.written)) / calls,
    },
  }
}

/** How long the disk takes to keep a page, at the median. */
function measureFlush(): number {
  const file = openSync(path.join(dataDir, 'flushed'), 'w')
  const page = Buffer.alloc(8_192, 1)
  const micros = Array.from({ length: 200 }, () => {
    const startedAt = performance.now()
    writeSync(file, page)
    fdatasyncSync(file)
    return (performance.now() - startedAt) * 1_000
  }).sort((one, other) => one - other)
  closeSync(file)
  return micros[micros.length / 2] ?? 0
}

function printCosts(costs: CallCosts, written: { walBytes: number; storedBytes: number }) {
  printTable(
    ['a paid call', 'µs'],
    [
      ['gateway, each call', costs.gatewayCall],
      ['gateway, each statement', costs.gatewayStatement],
      ['database, each hold or settlement', costs.databaseOperation],
      ['database, each statement', costs.databaseStatement],
      ['disk, each flush', costs.flush],
    ].map(([name, micros]) => [String(name), Math.round(Number(micros))]),
  )
  console.log(
    `\n${Math.round(written.walBytes)} bytes of WAL and ${Math.round(written.storedBytes)} stored bytes a call.\n`,
  )
}

function printPredictions(
  loads: readonly MeasuredLoad[],
  costsOf: (rows: readonly MeasuredLoad[]) => CallCosts,
) {
  const here: Fleet = {
    gateways: 1,
    databases: 1,
    databaseProcessors: availableParallelism(),
    sharedProcessors: availableParallelism(),
  }
  printTable(
    [
      'callers',
      'statements a call',
      'CPU µs gateway',
      'CPU µs database',
      'measured/s',
      'predicted/s',
      'predicted : measured',
    ],
    loads.map((load) => {
      const costs = costsOf(loads.filter((other) => other !== load))
      const { callers, callsPerSecond } = load
      const predicted = simulateFleet(costs, here, { callers }, { seconds: 10, seed: 1 })
      const perCall = (seconds: number) => Math.round((seconds * 1e6) / load.calls)
      return [
        callers,
        (load.transactions / load.calls).toFixed(2),
        perCall(load.gatewaySeconds),
        perCall(load.databaseSeconds),
        Math.round(callsPerSecond),
        Math.round(predicted.callsPerSecond),
        (predicted.callsPerSecond / callsPerSecond).toFixed(2),
      ]
    }),
  )
  console.log()
}

function printFleets(costs: CallCosts, written: { walBytes: number; storedBytes: number }) {
  const rows = []
  for (const callsPerSecond of [1_000, 10_000, 100_000]) {
    const partsFor = (microsPerCall: number) =>
      Math.ceil((callsPerSecond * microsPerCall) / 1e6 / busyMost)
    const databaseCall = 2 * costs.databaseOperation
    const processors = partsFor(databaseCall)
    // The statements of a gateway run one after the other, so one gateway never uses more than one processor there.
    const gateways = partsFor(Math.max(costs.gatewayCall, databaseCall))
    const whole = { gateways, databases: 1, databaseProcessors: processors }
    const tried: [Fleet, number][] = [
      [whole, 0],
      [whole, busiestShare],
      [{ ...whole, accountsStay: true }, busiestShare],
    ]
    if (gateways > databasesTried)
      tried.push([
        {
          gateways,
          databases: databasesTried,
          databaseProcessors: Math.ceil(processors / databasesTried),
        },
        0,
      ])
    for (const [fleet, busiestAccountShare] of tried) {
      const load: FleetLoad = { callsPerSecond, busiestAccountShare }
      const report = simulateFleet(costs, fleet, load, { seconds: 2, seed: 1 })
      const share = (busy: number) => busy.toFixed(2)
      rows.push([
        callsPerSecond,
        fleet.gateways,
        `${fleet.databases} × ${fleet.databaseProcessors}`,
        `${busiestAccountShare * 100} %${fleet.accountsStay ? ', at one gateway' : ''}`,
        Math.round(report.callsPerSecond),
        report.p50Ms.toFixed(1),
        report.p99Ms.toFixed(1),
        share(report.busy.gateways),
        share(report.busy.databases),
        share(report.busy.disks),
        share(report.busy.busiestAccount),
        report.operationsPerStatement.toFixed(1),
        ((callsPerSecond * written.walBytes) / 1e6).toFixed(1),
        Math.round((callsPerSecond * secondsPerDay * written.storedBytes) / 1e9),
      ])
    }
  }
  printTable(
    [
      'calls/s',
      'gateways',
      'databases × processors',
      'busiest account',
      'answered/s',
      'p50 ms',
      'p99 ms',
      'gateways busy',
      'databases busy',
      'disks busy',
      'account locked',
      'per statement',
      'WAL MB/s',
      'GB a day',
    ],
    rows,
  )
}
