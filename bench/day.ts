// Plays a day in a minute against one gateway and against two: calls that follow the hours, 10,000 accounts of which
// few are busy, 40 actions of vendors that fail, chats, jobs, sessions and wallets. Prints calls per second, times from
// the moment at which a caller came, processor time and write-ahead log per call, memory, and the sum of all postings.
// --seconds (60) is the length of the day, --peak (60) the arrivals per second at its busiest time, --accounts (10000),
// --gateways (1,2) the runs, --seed (1) the day.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { type DayLoad, playDay } from './lib/day-callers.ts'
import { planDay } from './lib/day-plan.ts'
import { printTable } from './lib/print-table.ts'
import { cpuSeconds, memoryBytes, readPostmasterPid } from './lib/processes.ts'

const adminToken = 'token-of-the-benchmark'
const sampleIntervalMs = 1_000
const endsWithinMs = 60_000
/** Played before each run and not measured, because new code is slow. */
const warmUpMs = 5_000

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    peak: { type: 'string', default: '60' },
    accounts: { type: 'string', default: '10000' },
    gateways: { type: 'string', default: '1,2' },
    seed: { type: 'string', default: '1' },
  },
})
const durationMs = Number(options.seconds) * 1_000

interface GatewayOfDay {
  readonly url: string
  readonly child: ChildProcess
  readonly pid: number
}

const dataDir = await makeDataDirectory()
const cashFolder = path.join(dataDir, 'cash')
await mkdir(cashFolder)
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const database = openDatabase({ connectionString: postgres.connectionString, log: silentLog })
const children: ChildProcess[] = []
let keys: readonly string[] = []
try {
  const vendors = await start('day-vendors-server.ts', [String(durationMs)], {})
  const environment = await writeModels(vendors.url)
  const postmasterPid = await readPostmasterPid(postgres.directory)
  for (const count of options.gateways.split(',').map(Number)) {
    const gateways: GatewayOfDay[] = []
    for (let place = 0; place < count; place += 1) {
      const accounts = keys.length === 0 ? options.accounts : '0'
      const folder = path.join(dataDir, `gateway-${count}-${place}`)
      await mkdir(folder)
      const env = { ...environment, DATA_DIR: folder }
      const started = await start('day-gateway-server.ts', [accounts], env)
      if (started.keys.length > 0) keys = started.keys
      gateways.push(started)
    }
    await measure(gateways, postmasterPid, () => vendors.child.send('begin'))
    for (const { child } of gateways) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.send('close')
      await ended
    }
  }
} finally {
  for (const child of children) child.kill()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function start(server: string, args: string[], env: Record<string, string>) {
  const child = fork(path.join(import.meta.dirname, 'lib', server), args, {
    env: { ...process.env, ...env },
  })
  children.push(child)
  const started = await new Promise<{ url: string; keys: readonly string[] }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; keys: string[] }))
    child.once('exit', (code) => reject(new Error(`${server} ended with ${code}.`)))
  })
  return { ...started, child, pid: child.pid ?? 0 }
}

async function writeModels(vendorsUrl: string): Promise<Record<string, string>> {
  const LLM_CONFIG = path.join(dataDir, 'llm.json')
  const serves = ['lab/*']
  const models = ['lab/one']
  await writeFile(
    LLM_CONFIG,
    JSON.stringify({
      upstreams: {
        lab: { wire: 'openai', base_url: `${vendorsUrl}/model/v1`, api_key: 'LAB_API_KEY', serves },
      },
      tiers: { cheap: models, mid: models, best: models },
      prices: { 'lab/one': { prompt: 1, completion: 4 } },
    }),
  )
  return {
    DATABASE_URL: postgres.connectionString,
    ADMIN_TOKEN: adminToken,
    VENDORS_URL: vendorsUrl,
    LLM_CONFIG,
    LAB_API_KEY: 'key-of-the-model',
    TOLLWAY_PLUGINS: path.join(import.meta.dirname, 'lib/day-cash'),
    CASH_FOLDER: cashFolder,
    INFERENCE_DAY_CENTS_MAX: '100000',
    UNCHARGED_DAY_CENTS_MAX: '100000',
  }
}

async function measure(
  gateways: readonly GatewayOfDay[],
  postmasterPid: number,
  beginDay: () => void,
) {
  const { length: count } = gateways
  const play = (seed: number, playedMs: number) =>
    playDay({
      arrivals: planDay({
        seed,
        durationMs: playedMs,
        peak: Number(options.peak),
        accounts: keys.length,
      }),
      urls: gateways.map(({ url }) => url),
      keys,
      cashFolder,
    })
  // The accounts are the same in each run, so no key of a call may be the same.
  const seed = Number(options.seed) * 100 + count
  await play(seed + 50, warmUpMs)
  const use = async () => ({
    gateways: (await Promise.all(gateways.map(({ pid }) => cpuSeconds(pid)))).reduce(
      (a, b) => a + b,
      0,
    ),
    postgres: await cpuSeconds(postmasterPid),
    wal: await walBytes(database),
  })
  let memoryPeak = 0
  const sampling = setInterval(async () => {
    const each = await Promise.all(gateways.map(({ pid }) => memoryBytes(pid)))
    memoryPeak = Math.max(memoryPeak, ...each)
  }, sampleIntervalMs)
  const before = await use()
  beginDay()
  const load = await play(seed, durationMs)
  const stillHeld = await waitForEnd()
  clearInterval(sampling)
  const after = await use()
  const calls = [...load.times.values()].reduce((sum, list) => sum + list.length, 0)
  const perCall = (amount: number) => amount / Math.max(1, calls)

  console.log(`\n## ${count} ${count === 1 ? 'gateway' : 'gateways'}\n`)
  printTimes(load, calls)
  console.log()
  printTable(
    ['figure', 'value'],
    [
      ['calls/s', (calls / load.seconds).toFixed(1)],
      ['CPU ms per call, gateways', (perCall(after.gateways - before.gateways) * 1e3).toFixed(2)],
      ['CPU ms per call, PostgreSQL', (perCall(after.postgres - before.postgres) * 1e3).toFixed(2)],
      ['WAL bytes per call', Math.round(perCall(after.wal - before.wal))],
      ['memory of a gateway, MB at most', Math.round(memoryPeak / 1e6)],
      ['repeated calls answered from the store', load.replayed],
      ['calls that hold something after the day', stillHeld],
      ['outcomes', [...load.outcomes].map(([outcome, times]) => `${outcome}: ${times}`).join(', ')],
      ...(await readBooks(gateways[0]?.url ?? '')),
    ],
  )
}

function printTimes({ times }: DayLoad, calls: number) {
  const all = [...times, ['all', [...times.values()].flat()] as const]
  printTable(
    ['kind', 'calls', 'p50 ms', 'p99 ms', 'p99.9 ms'],
    all.map(([kind, list]) => {
      const sorted = list.toSorted((a, b) => a - b)
      const at = (share: number) =>
        (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
      return [kind, kind === 'all' ? calls : list.length, at(0.5), at(0.99), at(0.999)]
    }),
  )
}

async function walBytes(of: Database): Promise<number> {
  const [row] = await of.query<{ bytes: string }>(
    `select (pg_current_wal_lsn() - '0/0')::text as bytes`,
  )
  return Number(row?.bytes ?? 0)
}

/** Jobs go on after the last caller has come. Resolves to the number of calls that have not ended in time. */
async function waitForEnd(): Promise<number> {
  const deadline = Date.now() + endsWithinMs
  for (;;) {
    const [row] = await database.query<{ held: number }>(
      `select count(*)::integer as held from call where state = 'held'`,
    )
    if (row?.held === 0 || Date.now() > deadline) return row?.held ?? 0
    await delay(sampleIntervalMs)
  }
}

async function readBooks(url: string): Promise<[string, string | number][]> {
  const [sum] = await database.query<{ postings: string; micros: string }>(
    'select count(*)::text as postings, coalesce(sum(amount), 0)::text as micros from posting',
  )
  const reply = await fetch(new URL('/api/v1/admin/ledger/verify', url), {
    headers: { authorization: `Bearer ${adminToken}` },
  })
  const { ok, problems } = (await reply.json()) as { ok: boolean; problems: unknown[] }
  return [
    ['postings', sum?.postings ?? ''],
    ['sum of postings, micro-dollars', sum?.micros ?? ''],
    ['verify', ok ? 'ok' : JSON.stringify(problems).slice(0, 400)],
  ]
}
