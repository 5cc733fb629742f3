// Measures chats through the gateway beside Portkey's gateway and a bare proxy of the same framework. The gateway has
// authentication, limits, holds, charges and a durable ledger switched on, and the model answers at once. Contenders
// are measured in turn, ratios are of neighbouring slices, and medians are shown. The measured process has the first
// core; the callers, the model and the database share the others.
//
// Portkey answers every stream with 500 unless a dependency is older than its manifest requires. In a separate folder:
//   echo
//   '{"dependencies":{"@portkey-ai/gateway":"1.15.2","@hono/node-server":"1.13.5"},"overrides":{"@hono/node-server":"$@hono/node-server"}}' >
//   package.json
//   npm install && cd - && npm run bench llm <that folder>
// PORTKEY_NODE names another Node for Portkey. Portkey's speed varies by a factor of two between versions of Node.
// LLM_SHAPES restricts the measurement to shapes with this text in their names.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { findFreePort } from '#test/gateways/free-port.ts'
import { silentLog } from '#test/silent-log.ts'
import { type ChatLoad, freshMarker, generateChats } from './lib/chat-load.ts'
import { writeRequest } from './lib/load.ts'
import { printTable } from './lib/print-table.ts'
import { cpuSeconds } from './lib/processes.ts'

const rounds = 5
const callersMax = 128
interface Shape {
  readonly name: string
  readonly callers: number
  readonly stream: boolean
  readonly model: 'one' | 'paced'
  readonly sliceMs: number
  readonly spreadMs: number
}

const one = { model: 'one', sliceMs: 1_200, spreadMs: 0 } as const
const allShapes: readonly Shape[] = [
  { name: 'whole answers, 32 callers', callers: 32, stream: false, ...one },
  { name: 'whole answers, 128 callers', callers: 128, stream: false, ...one },
  { name: 'streams of 102 events, 16 callers', callers: 16, stream: true, ...one },
  { name: 'streams of 102 events, 64 callers', callers: 64, stream: true, ...one },
  { name: 'whole answers, one caller', callers: 1, stream: false, ...one },
  // Callers start at different times and stay after the first answer.
  {
    name: 'paced streams, 64 callers',
    callers: 64,
    stream: true,
    model: 'paced',
    sliceMs: 4_000,
    spreadMs: 400,
  },
]

const shapes = allShapes.filter(({ name }) => name.includes(process.env.LLM_SHAPES ?? ''))

interface Contender {
  readonly name: string
  readonly url: string
  readonly path: string
  readonly pid: number | undefined
  readonly headers: (caller: number) => Record<string, string>
  readonly model: (name: string) => string
}
interface Started {
  readonly url: string
  readonly keys: readonly string[]
  readonly limitedKeys: readonly string[]
}
interface Slice extends ChatLoad {
  readonly cpuMicros: number
}

const portkeyFolder = process.argv[2]
pin(process.pid, `1-${Math.max(1, availableParallelism() - 1)}`)
const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const children: ChildProcess[] = []
try {
  const contenders = await startAll()
  const rows = []
  for (const shape of shapes) {
    const slices = new Map<string, Slice[]>(contenders.map(({ name }) => [name, []]))
    for (let round = -1; round < rounds; round += 1) {
      for (const contender of contenders) {
        const slice = await measure(contender, shape)
        // The first round warms up.
        if (round >= 0) slices.get(contender.name)?.push(slice)
      }
    }
    rows.push(...describe(shape, slices))
    console.error(`${shape.name}: done`)
  }
  print(rows)
} finally {
  for (const child of children) child.kill()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function startAll(): Promise<Contender[]> {
  const stub = await start('lib/model-server.ts', ['stub'])
  const bare = await start('lib/model-server.ts', ['bare', stub.url])
  const config = path.join(dataDir, 'llm.json')
  const price = { prompt: 1, completion: 4 }
  await writeFile(
    config,
    JSON.stringify({
      upstreams: { lab: { base_url: `${stub.url}/v1`, serves: ['lab/*'] } },
      prices: { 'lab/one': price, 'lab/paced': price },
    }),
  )
  const gateway = await start('lib/gateway-server.ts', ['gateway', String(callersMax)], {
    DATABASE_URL: postgres.connectionString,
    DATA_DIR: dataDir,
    LLM_CONFIG: config,
    INFERENCE_DAY_CENTS_MAX: '100000000',
  })
  const plain = { path: '/v1/chat/completions', headers: () => ({}), model: (name: string) => name }
  const own = {
    url: gateway.url,
    pid: gateway.pid,
    path: '/api/llm/v1/chat/completions',
    model: (name: string) => `lab/${name}`,
  }
  return [
    { ...plain, name: 'the model itself', url: stub.url, pid: undefined },
    { ...plain, name: 'bare proxy', url: bare.url, pid: bare.pid },
    {
      ...own,
      name: 'Tollway',
      headers: (caller) => ({ authorization: `Bearer ${gateway.keys[caller]}` }),
    },
    {
      ...own,
      name: 'Tollway, keys with limits',
      headers: (caller) => ({ authorization: `Bearer ${gateway.limitedKeys[caller]}` }),
    },
    {
      ...own,
      name: 'Tollway, Idempotency-Key',
      headers: (caller) => ({
        authorization: `Bearer ${gateway.keys[caller]}`,
        'idempotency-key': freshMarker,
      }),
    },
    ...(portkeyFolder === undefined ? [] : [await startPortkey(portkeyFolder, stub.url)]),
  ]
}

/** Processes started afterwards inherit it. */
function pin(pid: number | undefined, cores: string) {
  execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' })
}

async function start(file: string, args: string[], env: Record<string, string> = {}) {
  const child = fork(path.join(import.meta.dirname, file), args, {
    env: { ...process.env, ...env },
  })
  children.push(child)
  if (args[0] !== 'stub') pin(child.pid, '0')
  const started = await new Promise<Started>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Started))
    child.once('exit', (code) => reject(new Error(`A measured server ended with ${code}.`)))
  })
  return { ...started, pid: child.pid }
}

async function startPortkey(folder: string, stubUrl: string): Promise<Contender> {
  const port = await findFreePort()
  const file = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const child = fork(file, [`--port=${port}`, '--headless'], {
    execPath: process.env.PORTKEY_NODE ?? process.execPath,
    silent: true,
    cwd: folder,
    env: { ...process.env, TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
  })
  children.push(child)
  pin(child.pid, '0')
  child.stdout?.resume()
  child.stderr?.resume()
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break
    await delay(100)
  }
  return {
    name: 'Portkey',
    url,
    pid: child.pid,
    path: '/v1/chat/completions',
    headers: () => ({
      authorization: 'Bearer any',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${stubUrl}/v1`,
    }),
    model: (name) => name,
  }
}

async function measure(contender: Contender, shape: Shape): Promise<Slice> {
  const prompt = 'Say something about nothing in particular. '.repeat(18)
  const requests = Array.from({ length: shape.callers }, (_, caller) =>
    writeRequest(
      contender.path,
      {
        model: contender.model(shape.model),
        messages: [{ role: 'user', content: prompt }],
        max_tokens: 100,
        ...(shape.stream ? { stream: true } : {}),
      },
      contender.headers(caller),
    ),
  )
  const cpu = () => (contender.pid === undefined ? Promise.resolve(0) : cpuSeconds(contender.pid))
  const before = await cpu()
  const { sliceMs: durationMs, spreadMs } = shape
  const load = await generateChats({ url: contender.url, requests, durationMs, spreadMs })
  return { ...load, cpuMicros: ((await cpu()) - before) * (1e6 / load.calls) }
}

function describe(shape: Shape, slices: ReadonlyMap<string, readonly Slice[]>): string[][] {
  const direct = slices.get('the model itself') ?? []
  const added = (name: string, read: (slice: Slice) => readonly number[], part: number) =>
    median(
      (slices.get(name) ?? []).map((slice, round) => {
        const base = direct[round]
        return quantile(read(slice), part) - (base === undefined ? 0 : quantile(read(base), part))
      }),
    )
  return [...slices].map(([name, own]) => {
    const against = (other: string) => {
      const others = slices.get(other) ?? []
      return others.length === 0 || other === name
        ? ''
        : median(
            own.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? 1)),
          ).toFixed(2)
    }
    const isDirect = name === 'the model itself'
    return [
      shape.name,
      name,
      String(Math.round(median(own.map(({ perSecond }) => perSecond)))),
      against('Portkey'),
      isDirect ? '' : against('bare proxy'),
      name.startsWith('Tollway,') ? against('Tollway') : '',
      ...(isDirect
        ? ['', '', '', '']
        : [
            added(name, ({ endMs }) => endMs, 0.5).toFixed(2),
            added(name, ({ endMs }) => endMs, 0.99).toFixed(1),
            shape.stream ? added(name, ({ firstMs }) => firstMs, 0.5).toFixed(2) : '',
            String(Math.round(median(own.map(({ cpuMicros }) => cpuMicros)))),
          ]),
    ]
  })
}

function print(rows: string[][]) {
  const head = [
    'what',
    'through',
    'per second',
    '× Portkey',
    '× bare proxy',
    '× Tollway',
    'added p50 ms',
    'added p99 ms',
    'added first token p50 ms',
    'CPU µs',
  ]
  printTable(head, rows)
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
