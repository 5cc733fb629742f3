// Measures paid calls of an action that does nothing, beside two baselines: the same HTTP framework with a constant
// answer, and the same hold and settle SQL, one statement a call, by pgbench. They are interleaved in one run; figures
// are medians.
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openDatabase } from '#platform/database/database.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { generateLoad, writeRequest } from './lib/load.ts'
import { printTable } from './lib/print-table.ts'
import { cpuSeconds, readPostmasterPid } from './lib/processes.ts'

const callersTried = [1, 8, 32, 128]
const rounds = 3
const sliceMs = 3_000

interface Started {
  readonly url: string
  readonly keys: readonly string[]
  readonly accountIds: readonly { accountId: string; keyId: string }[]
}

interface Slice {
  readonly perSecond: number
  /** CPU microseconds for each call or pair, in all processes that serve it. */
  readonly cpuMicros: number
}

const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const database = openDatabase({ connectionString: postgres.connectionString, log: silentLog })
const children: ChildProcess[] = []
try {
  const constant = await start('constant')
  const gateway = await start('gateway', String(Math.max(...callersTried)))
  await writePgbenchScript(gateway.started.accountIds)
  const postmasterPid = await readPostmasterPid(postgres.directory)

  const rows = []
  for (const callers of callersTried) {
    const slices = { constant: [] as Slice[], gateway: [] as Slice[], pgbench: [] as Slice[] }
    for (let round = 0; round < rounds; round += 1) {
      slices.constant.push(await measureHttp(constant, callers, []))
      slices.pgbench.push(await measurePgbench(callers, postmasterPid))
      slices.gateway.push(await measureHttp(gateway, callers, [postmasterPid]))
    }
    rows.push({
      callers,
      ...compare(median(slices.constant), median(slices.pgbench), median(slices.gateway)),
    })
  }
  printRecords(rows)
} finally {
  for (const child of children) child.kill()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function start(...args: string[]) {
  const child = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), args, {
    env: { ...process.env, DATABASE_URL: postgres.connectionString, DATA_DIR: dataDir },
  })
  children.push(child)
  const started = await new Promise<Started>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Started))
    child.once('exit', (code) => reject(new Error(`The measured server ended with ${code}.`)))
  })
  return { started, pid: child.pid ?? 0 }
}

async function measureHttp(
  server: { started: Started; pid: number },
  callers: number,
  alsoPids: number[],
): Promise<Slice> {
  const { url, keys } = server.started
  const requests = Array.from({ length: callers }, (_, caller) =>
    writeRequest(
      '/api/run/bench/noop',
      { text: 'hello' },
      keys.length === 0 ? {} : { authorization: `Bearer ${keys[caller]}` },
    ),
  )
  const pids = [server.pid, ...alsoPids]
  const before = await cpuOf(pids)
  const load = await generateLoad({ url, requests, durationMs: sliceMs })
  return {
    perSecond: load.callsPerSecond,
    cpuMicros: ((await cpuOf(pids)) - before) * (1e6 / load.calls),
  }
}

async function measurePgbench(clients: number, postmasterPid: number): Promise<Slice> {
  const { host } = Object.fromEntries(
    new URL(postgres.connectionString.replace('@/', '@localhost/')).searchParams,
  )
  const before = await cpuSeconds(postmasterPid)
  const threads = String(Math.min(2, clients))
  const command = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    threads,
    '-T',
    String(sliceMs / 1_000),
  ]
  const { stdout, stderr, status } = spawnSync(
    'pgbench',
    [
      ...command,
      '-f',
      path.join(dataDir, 'pair.sql'),
      '-h',
      host ?? '',
      '-U',
      'tollway',
      'tollway',
    ],
    { encoding: 'utf8' },
  )
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  const pairs = Number(/actually processed: (\d+)/.exec(stdout)?.[1])
  if (status !== 0 || !(pairs > 0))
    throw new Error(`pgbench is needed (Debian: postgresql-contrib). ${stderr}`)
  return { perSecond, cpuMicros: ((await cpuSeconds(postmasterPid)) - before) * (1e6 / pairs) }
}

/** Each pgbench client has an account of its own, as each caller has. */
async function writePgbenchScript(accounts: Started['accountIds']) {
  await database.query(
    'create table bench_account (client integer primary key, account_id uuid, key_id uuid)',
  )
  for (const [client, { accountId, keyId }] of accounts.entries()) {
    await database.query('insert into bench_account values ($1, $2, $3)', [
      client,
      accountId,
      keyId,
    ])
  }
  await database.query(`create function bench_hold(p_client integer) returns table (call uuid, account uuid) language plpgsql as $$
    declare a record; id uuid := gen_random_uuid();
    begin
      select * into a from bench_account where client = p_client;
      perform * from ledger_commit_turn(0, 100000, '[]', jsonb_build_array(jsonb_build_object('call', id, 'account', a.account_id,
        'key', a.key_id, 'action', 'bench/noop', 'inference', false, 'amount', 100, 'lifetime_ms', 60000, 'job', false)), false);
      return query select id, a.account_id;
    end $$`)
  const pair = [
    'select call, account from bench_hold(:client_id) \\gset',
    `select outcome from ledger_commit_turn(0, 100000, jsonb_build_array(jsonb_build_object('call', :call::uuid, 'account', :account::uuid,
      'state', 'settled', 'charged', 100, 'output', '{"echo":"hello"}')), '[]', false);`,
  ]
  await writeFile(
    path.join(dataDir, 'pair.sql'),
    `${pair.join('\n').replaceAll('\n      ', ' ')}\n`,
  )
}

async function cpuOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map((pid) => cpuSeconds(pid)))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

function median(slices: readonly Slice[]): Slice {
  const middle = (pick: (slice: Slice) => number) =>
    slices.map(pick).sort((a, b) => a - b)[Math.floor(slices.length / 2)] ?? 0
  return {
    perSecond: middle((slice) => slice.perSecond),
    cpuMicros: middle((slice) => slice.cpuMicros),
  }
}

function compare(constant: Slice, pgbench: Slice, gateway: Slice) {
  return {
    'constant/s': Math.round(constant.perSecond),
    'pairs/s': Math.round(pgbench.perSecond),
    'paid calls/s': Math.round(gateway.perSecond),
    'paid : pairs': (gateway.perSecond / pgbench.perSecond).toFixed(2),
    'paid : constant': (gateway.perSecond / constant.perSecond).toFixed(2),
    'CPU µs constant': Math.round(constant.cpuMicros),
    'CPU µs pair': Math.round(pgbench.cpuMicros),
    'CPU µs paid': Math.round(gateway.cpuMicros),
    'CPU paid : constant + pair': (
      gateway.cpuMicros /
      (constant.cpuMicros + pgbench.cpuMicros)
    ).toFixed(2),
  }
}

function printRecords(rows: readonly Record<string, string | number>[]) {
  const columns = Object.keys(rows[0] ?? {})
  printTable(
    columns,
    rows.map((row) => columns.map((column) => row[column] ?? '')),
  )
}
