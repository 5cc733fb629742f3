// Measures chats, responses and messages through the gateway beside a bare proxy of the same framework, and chats
// beside Portkey's gateway. The gateway has authentication, limits, holds, charges and a durable ledger switched on,
// and the model answers at once: in the caller's format, which the bare proxy passes on too, or in another one that is
// translated. Contenders are measured in turn, ratios are of neighbouring slices, and medians are shown. The measured
// process has the first core; the callers, the model and the database share the others.
//
// Portkey answers every stream with 500 unless a dependency is older than its manifest requires. In a separate folder:
//   echo
//   '{"dependencies":{"@portkey-ai/gateway":"1.15.2","@hono/node-server":"1.13.5"},"overrides":{"@hono/node-server":"$@hono/node-server"}}' >
//   package.json
//   npm install && cd - && npm run bench llm <that folder>
// PORTKEY_NODE names another Node for Portkey. Portkey's speed varies by a factor of two between versions of Node.
// LLM_SHAPES restricts the measurement to shapes with this text in their names, and LLM_SURFACES to some of `chat`,
// `responses` and `messages`. LLM_ROUNDS (5) says how often each contender is measured.
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
import { type BenchSurface, surfacePaths } from './lib/model-answers.ts'
import { printTable } from './lib/print-table.ts'
import { cpuSeconds } from './lib/processes.ts'

const rounds = Number(process.env.LLM_ROUNDS ?? 5)
const callersMax = 128
interface Shape {
  readonly name: string
  readonly callers: number
  readonly stream: boolean
  readonly model: 'one' | 'paced'
  readonly sliceMs: number
  readonly spreadMs: number
  /** Only on chats: the others differ from them in their formats alone. */
  readonly onlyChats?: true
}

const one = { model: 'one', sliceMs: 1_200, spreadMs: 0 } as const
const allShapes: readonly Shape[] = [
  { name: 'whole answers, 32 callers', callers: 32, stream: false, ...one },
  { name: 'whole answers, 128 callers', callers: 128, stream: false, ...one, onlyChats: true },
  { name: 'streams of 102 events, 16 callers', callers: 16, stream: true, ...one },
  { name: 'streams of 102 events, 64 callers', callers: 64, stream: true, ...one, onlyChats: true },
  { name: 'whole answers, one caller', callers: 1, stream: false, ...one, onlyChats: true },
  // Callers start at different times and stay after the first answer.
  {
    name: 'paced streams, 64 callers',
    callers: 64,
    stream: true,
    model: 'paced',
    sliceMs: 4_000,
    spreadMs: 400,
    onlyChats: true,
  },
]

const shapes = allShapes.filter(({ name }) => name.includes(process.env.LLM_SHAPES ?? ''))
const surfaces = (Object.keys(surfacePaths) as BenchSurface[]).filter((surface) =>
  (process.env.LLM_SURFACES ?? surface).includes(surface),
)
/** The upstream that speaks the format of a surface, and one whose format is another. */
const upstreams: Readonly<Record<BenchSurface, readonly [same: string, other: string]>> = {
  chat: ['lab', 'claude'],
  responses: ['answers', 'lab'],
  messages: ['claude', 'lab'],
}

const prompt = 'Say something about nothing in particular. '.repeat(18)
const bodyOf: Readonly<Record<BenchSurface, object>> = {
  chat: { messages: [{ role: 'user', content: prompt }], max_tokens: 100 },
  // As Codex asks: nothing is kept.
  responses: { input: prompt, max_output_tokens: 100, store: false },
  messages: { messages: [{ role: 'user', content: prompt }], max_tokens: 100 },
}

interface Contender {
  readonly name: string
  readonly url: string
  readonly path: (surface: BenchSurface) => string
  readonly pid: number | undefined
  readonly headers: (caller: number) => Record<string, string>
  readonly model: (name: string, surface: BenchSurface) => string
  readonly onlyChats?: true
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
  for (const surface of surfaces)
    for (const shape of shapes) {
      if (surface !== 'chat' && shape.onlyChats) continue
      const here = contenders.filter(({ onlyChats }) => surface === 'chat' || !onlyChats)
      const slices = new Map<string, Slice[]>(here.map(({ name }) => [name, []]))
      for (let round = -1; round < rounds; round += 1) {
        for (const contender of here) {
          const slice = await measure(contender, shape, surface)
          // The first round warms up.
          if (round >= 0) slices.get(contender.name)?.push(slice)
        }
      }
      const what = surface === 'chat' ? shape.name : `${surface}, ${shape.name}`
      rows.push(...describe({ ...shape, name: what }, slices))
      console.error(`${what}: done`)
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
  const upstream = (name: string, wire: string, base_url: string) => [
    name,
    { wire, base_url, serves: [`${name}/*`] },
  ]
  const slugs = ['lab', 'claude', 'answers'].flatMap((name) => [`${name}/one`, `${name}/paced`])
  await writeFile(
    config,
    JSON.stringify({
      upstreams: Object.fromEntries([
        upstream('lab', 'openai', `${stub.url}/v1`),
        upstream('claude', 'anthropic', stub.url),
        upstream('answers', 'responses', `${stub.url}/v1`),
      ]),
      prices: Object.fromEntries(slugs.map((slug) => [slug, price])),
    }),
  )
  const gateway = await start('lib/gateway-server.ts', ['gateway', String(callersMax)], {
    DATABASE_URL: postgres.connectionString,
    DATA_DIR: dataDir,
    LLM_CONFIG: config,
    INFERENCE_DAY_CENTS_MAX: '100000000',
  })
  const plain = {
    path: (surface: BenchSurface) => surfacePaths[surface],
    headers: () => ({}),
    model: (name: string) => name,
  }
  const bearer = (keys: readonly string[], caller: number) => ({
    authorization: `Bearer ${keys[caller]}`,
  })
  const own = (named: string, place: 0 | 1): Contender[] => {
    const way = {
      url: gateway.url,
      pid: gateway.pid,
      path: (surface: BenchSurface) => `/api/llm${surfacePaths[surface]}`,
      model: (name: string, surface: BenchSurface) => `${upstreams[surface][place]}/${name}`,
    }
    return [
      { ...way, name: named, headers: (caller) => bearer(gateway.keys, caller) },
      {
        ...way,
        name: `${named}, keys with limits`,
        headers: (caller) => bearer(gateway.limitedKeys, caller),
      },
      {
        ...way,
        name: `${named}, Idempotency-Key`,
        headers: (caller) => ({ ...bearer(gateway.keys, caller), 'idempotency-key': freshMarker }),
      },
    ]
  }
  return [
    { ...plain, name: 'the model itself', url: stub.url, pid: undefined },
    { ...plain, name: 'bare proxy', url: bare.url, pid: bare.pid },
    ...own('Tollway', 0),
    ...own('Tollway, translated', 1),
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
    onlyChats: true,
    path: (surface) => surfacePaths[surface],
    headers: () => ({
      authorization: 'Bearer any',
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${stubUrl}/v1`,
    }),
    model: (name) => name,
  }
}

async function measure(contender: Contender, shape: Shape, surface: BenchSurface): Promise<Slice> {
  const requests = Array.from({ length: shape.callers }, (_, caller) =>
    writeRequest(
      contender.path(surface),
      {
        model: contender.model(shape.model, surface),
        ...bodyOf[surface],
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
