// Measures the cost of callers without a key: expensive requests beside `GET /healthz` in the same run. Also shows how
// long one of them delays all other callers.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { cpuSeconds } from './lib/processes.ts'

const rounds = 3
const sliceMs = 1_500

interface Kind {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

const fields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${at}`, at])))
const list = (count: number, value: unknown) => Array.from({ length: count }, () => value)
const run = '/api/run/tollway/onescrape?quote=true'
const kinds: Record<string, Kind> = {
  'GET /healthz': { method: 'GET', path: '/healthz' },
  'a quote': { path: run, body: '{"urls":["https://example.com"]}' },
  '50,000 unknown fields, 0.9 MB': { path: run, body: fields(50_000) },
  '1,900 unknown fields': { path: run, body: fields(1_900) },
  '1,900 wrong values': { path: run, body: JSON.stringify({ urls: list(1_900, 1) }) },
  'a name of 60 kB': { path: run, body: JSON.stringify({ ['x'.repeat(60_000)]: 1 }) },
  'an address of 60 kB': { path: run, body: JSON.stringify({ urls: ['x'.repeat(60_000)] }) },
  '30,000 brackets': { path: run, body: '['.repeat(30_000) + ']'.repeat(30_000) },
  'a query string of 15 kB': { path: `${run}&${'a=1&'.repeat(3_700)}`, body: '{}' },
  'a chat of 0.9 MB': { path: '/api/llm/v1/chat/completions', body: fields(50_000) },
  'a sign-up with unknown fields': { path: '/api/v1/agents', body: fields(1_900) },
  'GET /api/run': { method: 'GET', path: '/api/run' },
  'GET /openapi.json': { method: 'GET', path: '/openapi.json' },
  'GET /api/llm/v1/models': { method: 'GET', path: '/api/llm/v1/models' },
  'discover, 1,000 characters': {
    path: '/api/run/tollway/discover',
    body: JSON.stringify({ query: 'companies that raised money '.repeat(40).slice(0, 1_000) }),
  },
}

const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const server = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), ['gateway', '0'], {
  env: { ...process.env, DATABASE_URL: postgres.connectionString, DATA_DIR: dataDir },
})
try {
  const [{ url }] = (await once(server, 'message')) as [{ url: string }]
  console.log(
    '| request | status | answer kB | per second | CPU µs | × GET /healthz |\n|---|---|---|---|---|---|',
  )
  // The first run only warms up the compiler.
  await repeat(kinds['GET /healthz'] as Kind)
  const baseline = median(await repeat(kinds['GET /healthz'] as Kind))
  for (const [name, kind] of Object.entries(kinds)) {
    const slices = await repeat(kind)
    const { status, bytes } = slices[0] as Slice
    const middle = median(slices)
    const cells = [
      name,
      status,
      (bytes / 1_000).toFixed(1),
      Math.round(middle.perSecond),
      Math.round(middle.cpuMicros),
      (middle.cpuMicros / baseline.cpuMicros).toFixed(1),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }

  async function repeat(kind: Kind): Promise<Slice[]> {
    const slices: Slice[] = []
    for (let round = 0; round < rounds; round += 1) slices.push(await measure(kind))
    return slices
  }

  /** One caller that waits for each answer, so that only the server's time counts. */
  async function measure({ method = 'POST', path, body }: Kind): Promise<Slice> {
    const startedAt = performance.now()
    const before = await cpuSeconds(server.pid ?? 0)
    let calls = 0
    let status = 0
    let bytes = 0
    while (performance.now() - startedAt < sliceMs) {
      const reply = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) })
      bytes = (await reply.arrayBuffer()).byteLength
      status = reply.status
      calls += 1
    }
    const cpu = (await cpuSeconds(server.pid ?? 0)) - before
    const seconds = (performance.now() - startedAt) / 1_000
    return { status, bytes, perSecond: calls / seconds, cpuMicros: (cpu * 1e6) / calls }
  }
} finally {
  server.kill()
  await postgres.stop()
}

interface Slice {
  readonly status: number
  readonly bytes: number
  readonly perSecond: number
  readonly cpuMicros: number
}

function median(slices: readonly Slice[]): Slice {
  const sorted = slices.toSorted((one, other) => one.cpuMicros - other.cpuMicros)
  return sorted[Math.floor(sorted.length / 2)] as Slice
}
