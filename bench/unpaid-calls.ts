// Measures requests that are not paid for, beside a constant answer of the same HTTP framework: challenges, quotes,
// free calls and descriptions. Anyone may send them, so they must be cheap and leave the database alone.
import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '#platform/database/database.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { chainsAvailable, startChains } from '#test/chains/chains.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { generateLoad, writeRequest } from './lib/load.ts'
import { printTable } from './lib/print-table.ts'
import { cpuSeconds } from './lib/processes.ts'

const [callersAsked = '1,32', kindsAsked = ''] = process.argv.slice(2)
const callersTried = callersAsked.split(',').map(Number)
const rounds = 3
const sliceMs = 1_500
/** PostgreSQL publishes what a session has done within a second. */
const statisticsDelayMs = 1_500

interface Started {
  readonly url: string
  readonly keys: readonly string[]
}

interface Kind {
  readonly server: { readonly started: Started; readonly pid: number }
  readonly bytes: Buffer
  readonly status?: number
}

interface Slice {
  readonly perSecond: number
  readonly cpuMicros: number
}

const available = chainsAvailable()
if (!available.ok) throw new Error(available.reason)
const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const database = openDatabase({ connectionString: postgres.connectionString, log: silentLog })
const chains = await startChains()
const { x402, mpp, wallets } = chains
const children: ChildProcess[] = []
try {
  const constant = await start('constant')
  const gateway = await start('gateway', '1')
  const kinds = kindsOf(constant, gateway)
  const rows = []
  for (const callers of callersTried) {
    const slices = new Map<string, Slice[]>()
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, kind] of kinds) {
        const slice = await measure(kind, callers)
        // The first round only warms up the compiler.
        if (round > 0) slices.set(name, [...(slices.get(name) ?? []), slice])
      }
    }
    const base = median(slices.get('constant route') ?? [])
    for (const [name, kind] of kinds) {
      const { perSecond, cpuMicros } = median(slices.get(name) ?? [])
      rows.push([
        callers,
        name,
        Math.round(perSecond),
        (perSecond / base.perSecond).toFixed(2),
        Math.round(cpuMicros),
        (base.cpuMicros / cpuMicros).toFixed(2),
        await transactionsPerThousand(kind, callers),
      ])
    }
  }
  printTable(
    [
      'callers',
      'request',
      'per second',
      ': constant',
      'CPU µs',
      'CPU constant : request',
      'transactions per 1,000',
    ],
    rows,
  )
} finally {
  for (const child of children) child.kill()
  await chains.stop()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function start(...args: string[]) {
  const child = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), args, {
    env: {
      ...process.env,
      DATABASE_URL: postgres.connectionString,
      DATA_DIR: dataDir,
      X402_NETWORK: `eip155:${x402.chainId}`,
      X402_RPC_URL: x402.rpcUrl,
      X402_PAY_TO: wallets.payTo.address,
      X402_GAS_KEY: wallets.gas.privateKey,
      MPP_RPC_URL: mpp.rpcUrl,
      MPP_CURRENCY: mpp.asset,
      MPP_RECIPIENT: wallets.payTo.address,
    },
  })
  children.push(child)
  const started = await new Promise<Started>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Started))
    child.once('exit', (code) => reject(new Error(`The measured server ended with ${code}.`)))
  })
  return { started, pid: child.pid ?? 0 }
}

function kindsOf(constant: Kind['server'], gateway: Kind['server']): [string, Kind][] {
  const body = { text: 'hello' }
  const key = { authorization: `Bearer ${gateway.started.keys[0]}` }
  const get = (address: string) => Buffer.from(`GET ${address} HTTP/1.1\r\nhost: bench\r\n\r\n`)
  const run = '/api/run/bench/noop'
  const all: [string, Kind][] = [
    ['constant route', { server: constant, bytes: writeRequest(run, body) }],
    ['GET /healthz', { server: gateway, bytes: get('/healthz') }],
    [
      'unknown action',
      { server: gateway, bytes: writeRequest('/api/run/bench', body), status: 404 },
    ],
    ['challenge', { server: gateway, bytes: writeRequest(run, body), status: 402 }],
    ['quote', { server: gateway, bytes: writeRequest(`${run}?quote=true`, body) }],
    ['quote, with a key', { server: gateway, bytes: writeRequest(`${run}?quote=true`, body, key) }],
    ['free call', { server: gateway, bytes: writeRequest('/api/run/bench/free', body, key) }],
    ['open call', { server: gateway, bytes: writeRequest('/api/run/bench/open', body) }],
    ['GET of an action', { server: gateway, bytes: get(run) }],
  ]
  return all.filter(([name]) => name === 'constant route' || name.includes(kindsAsked))
}

async function load({ server, bytes, status = 200 }: Kind, callers: number) {
  const requests = Array.from({ length: callers }, () => bytes)
  return await generateLoad({ url: server.started.url, requests, durationMs: sliceMs, status })
}

async function measure(kind: Kind, callers: number): Promise<Slice> {
  const before = await cpuSeconds(kind.server.pid)
  const { calls, callsPerSecond } = await load(kind, callers)
  const cpu = (await cpuSeconds(kind.server.pid)) - before
  return { perSecond: callsPerSecond, cpuMicros: (cpu * 1e6) / calls }
}

/** A gateway reads prices and rights four times a second, however many requests it has. */
async function transactionsPerThousand(kind: Kind, callers: number): Promise<string> {
  const before = await committed()
  const { calls } = await load(kind, callers)
  return (((await committed()) - before) * (1_000 / calls)).toFixed(1)
}

async function committed(): Promise<number> {
  await delay(statisticsDelayMs)
  const [row] = await database.query<{ commits: number }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  )
  return row?.commits ?? 0
}

function median(slices: readonly Slice[]): Slice {
  const middle = (pick: (slice: Slice) => number) =>
    slices.map(pick).toSorted((one, other) => one - other)[Math.floor(slices.length / 2)] ?? 0
  return {
    perSecond: middle((slice) => slice.perSecond),
    cpuMicros: middle((slice) => slice.cpuMicros),
  }
}
