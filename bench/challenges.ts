// Measures unpaid calls that are answered with a challenge for each rail, beside a constant answer of the same server.
// Unpaid calls must be very cheap.
import { fork } from 'node:child_process'
import path from 'node:path'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { chainsAvailable, startChains } from '#test/chains/chains.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { generateLoad, writeRequest } from './lib/load.ts'
import { cpuSeconds } from './lib/processes.ts'

const callersTried = [1, 8, 32]
const rounds = 3
const sliceMs = 1_500

const available = chainsAvailable()
if (!available.ok) throw new Error(available.reason)
const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const chains = await startChains()
const { x402, mpp, wallets } = chains
const server = fork(path.join(import.meta.dirname, 'lib/gateway-server.ts'), ['gateway', '0'], {
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
try {
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    server.once('message', (message) => resolve(message as { url: string }))
    server.once('exit', (code) => reject(new Error(`The measured server ended with ${code}.`)))
  })
  const body = { text: 'hello' }
  const request = {
    health: { bytes: Buffer.from('GET /healthz HTTP/1.1\r\nhost: bench\r\n\r\n'), status: 200 },
    // The same request at an unknown address: read, counted and refused with a constant body.
    refusal: { bytes: writeRequest('/api/run/bench', body), status: 404 },
    challenge: { bytes: writeRequest('/api/run/bench/noop', body), status: 402 },
  }
  type Kind = keyof typeof request
  const kinds = Object.keys(request) as Kind[]
  const measure = async (kind: Kind, callers: number): Promise<Slice> => {
    const { bytes, status } = request[kind]
    const before = await cpuSeconds(server.pid ?? 0)
    const load = await generateLoad({
      url,
      requests: Array.from({ length: callers }, () => bytes),
      durationMs: sliceMs,
      status,
    })
    const cpu = (await cpuSeconds(server.pid ?? 0)) - before
    return { perSecond: load.callsPerSecond, cpuMicros: (cpu * 1e6) / load.calls }
  }
  console.log(
    '| callers | GET /healthz /s | POST refused /s | challenges/s | ratio | ratio | CPU µs | CPU µs | CPU µs |\n|---|---|---|---|---|---|---|---|---|',
  )
  for (const callers of callersTried) {
    const slices = { health: [] as Slice[], refusal: [] as Slice[], challenge: [] as Slice[] }
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of kinds) slices[kind].push(await measure(kind, callers))
    }
    const medians = kinds.map((kind) => median(slices[kind]))
    const challenges = median(slices.challenge).perSecond
    const cells = [
      callers,
      ...medians.map(({ perSecond }) => Math.round(perSecond)),
      ...medians.slice(0, -1).map(({ perSecond }) => (challenges / perSecond).toFixed(2)),
      ...medians.map(({ cpuMicros }) => Math.round(cpuMicros)),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
} finally {
  server.kill()
  await chains.stop()
  await postgres.stop()
}

interface Slice {
  readonly perSecond: number
  readonly cpuMicros: number
}

function median(slices: readonly Slice[]): Slice {
  const middle = (pick: (slice: Slice) => number) =>
    slices.map(pick).toSorted((one, other) => one - other)[Math.floor(slices.length / 2)] ?? 0
  return {
    perSecond: middle((slice) => slice.perSecond),
    cpuMicros: middle((slice) => slice.cpuMicros),
  }
}
