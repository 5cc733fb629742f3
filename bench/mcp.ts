// Measures paid calls over MCP beside the same calls over HTTP, at both revisions of the protocol, interleaved in one
// run. The target is 0.6 of the calls per second over HTTP. The processor time of the gateway and its database varies
// less on a busy machine.
import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { generateLoad, writeRequest } from './lib/load.ts'
import { cpuSeconds, readPostmasterPid } from './lib/processes.ts'

const callersTried = [8, 32]
const rounds = 3
const sliceMs = 3_000

const params = { text: 'hello' }
const call = { name: 'run', arguments: { action: 'bench/noop', params } }
const modern = '2026-07-28'
const metaOf = (member: string) => `io.modelcontextprotocol/${member}`
const accept = { accept: 'application/json, text/event-stream' }

/** The three ways of the same call. */
const doors = {
  http: (headers: Record<string, string>) => writeRequest('/api/run/bench/noop', params, headers),
  [modern]: (headers: Record<string, string>) =>
    writeRequest(
      '/mcp',
      message({
        ...call,
        _meta: {
          [metaOf('protocolVersion')]: modern,
          [metaOf('clientInfo')]: { name: 'bench', version: '1' },
          [metaOf('clientCapabilities')]: {},
        },
      }),
      {
        ...headers,
        ...accept,
        'mcp-protocol-version': modern,
        'mcp-method': 'tools/call',
        'mcp-name': call.name,
      },
    ),
  '2025-11-25': (headers: Record<string, string>) =>
    writeRequest('/mcp', message(call), {
      ...headers,
      ...accept,
      'mcp-protocol-version': '2025-11-25',
    }),
}
type Door = keyof typeof doors

interface Slice {
  readonly callsPerSecond: number
  readonly cpuMicros: number
}

const message = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })

const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const child = fork(
  path.join(import.meta.dirname, 'lib/gateway-server.ts'),
  ['gateway', String(Math.max(...callersTried))],
  { env: { ...process.env, DATABASE_URL: postgres.connectionString, DATA_DIR: dataDir } },
)
try {
  const { url, keys } = await new Promise<{ url: string; keys: readonly string[] }>(
    (resolve, reject) => {
      child.once('message', (started) => resolve(started as { url: string; keys: string[] }))
      child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}.`)))
    },
  )
  const { host } = new URL(url)
  const measure = async (door: Door, callers: number) => {
    const requests = keys
      .slice(0, callers)
      .map((key) => doors[door]({ host, authorization: `Bearer ${key}` }))
    const before = await cpuOfAll()
    const { calls, callsPerSecond } = await generateLoad({ url, requests, durationMs: sliceMs })
    return {
      callsPerSecond,
      cpuMicros: ((await cpuOfAll()) - before) * (1e6 / calls),
    }
  }
  console.log('| callers | door | calls/s | of HTTP | CPU µs per call | of HTTP |')
  console.log('|---|---|---|---|---|---|')
  for (const callers of callersTried) {
    const slices: Record<Door, Slice[]> = { http: [], [modern]: [], '2025-11-25': [] }
    for (let round = 0; round < rounds; round += 1)
      for (const door of Object.keys(doors) as Door[])
        slices[door].push(await measure(door, callers))
    const http = median(slices.http)
    for (const [door, measured] of Object.entries(slices)) {
      const { callsPerSecond, cpuMicros } = median(measured)
      const speed = `${callsPerSecond.toFixed(0)} | ${(callsPerSecond / http.callsPerSecond).toFixed(2)}`
      const cost = `${cpuMicros.toFixed(0)} | ${(cpuMicros / http.cpuMicros).toFixed(2)}`
      console.log(`| ${callers} | ${door} | ${speed} | ${cost} |`)
    }
  }
} finally {
  child.kill()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function cpuOfAll(): Promise<number> {
  const [gateway, database] = await Promise.all([
    cpuSeconds(child.pid ?? 0),
    cpuSeconds(await readPostmasterPid(postgres.directory)),
  ])
  return gateway + database
}

function median(slices: readonly Slice[]): Slice {
  const middle = (figures: number[]) =>
    figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0
  return {
    callsPerSecond: middle(slices.map((slice) => slice.callsPerSecond)),
    cpuMicros: middle(slices.map((slice) => slice.cpuMicros)),
  }
}
