// Measures paid calls over MCP beside the same calls over HTTP, at both revisions of the protocol, interleaved in one run. The target
// is 0.6 of the calls per second over HTTP.
import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { makeDataDirectory } from '#test/data-directory.ts'
import { generateLoad, writeRequest } from './lib/load.ts'

const callersTried = [1, 8, 32]
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
        ...{ ...headers, ...accept },
        'mcp-protocol-version': modern,
        'mcp-method': 'tools/call',
        'mcp-name': call.name,
      },
    ),
  '2025-11-25': (headers: Record<string, string>) =>
    writeRequest('/mcp', message(call), {
      ...{ ...headers, ...accept },
      'mcp-protocol-version': '2025-11-25',
    }),
}
type Door = keyof typeof doors

const message = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })

const dataDir = await makeDataDirectory()
const child = fork(
  path.join(import.meta.dirname, 'lib/gateway-server.ts'),
  ['gateway', String(Math.max(...callersTried))],
  { env: { ...process.env, DATA_DIR: dataDir } },
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
    return (await generateLoad({ url, requests, durationMs: sliceMs })).callsPerSecond
  }
  console.log('| callers | HTTP calls/s | 2026-07-28 | of HTTP | 2025-11-25 | of HTTP |')
  console.log('|---|---|---|---|---|---|')
  for (const callers of callersTried) {
    const figures = { http: [] as number[], [modern]: [] as number[], '2025-11-25': [] as number[] }
    for (let round = 0; round < rounds; round += 1)
      for (const door of Object.keys(doors) as Door[])
        figures[door].push(await measure(door, callers))
    const http = median(figures.http)
    const shown = ([modern, '2025-11-25'] as const).map((door) => {
      const perSecond = median(figures[door])
      return `${perSecond.toFixed(0)} | ${(perSecond / http).toFixed(2)}`
    })
    console.log(`| ${callers} | ${http.toFixed(0)} | ${shown.join(' | ')} |`)
  }
} finally {
  child.kill()
  await new Promise((resolve) => child.once('exit', resolve))
  await rm(dataDir, { recursive: true, force: true })
}

function median(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0
}
