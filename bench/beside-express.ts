// Measures calls paid over x402 beside an Express server with the protocol's own middleware and facilitator: paid calls
// per second, processor time and requests to the node. Both do nothing for the same price on the same chain, and are
// interleaved in one run; figures are medians. The facilitator runs in the process of Express, so nothing is asked over
// HTTP but the node.
import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client, x402HTTPClient } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { chainsAvailable, startChains } from '#test/chains/chains.ts'
import type { FaultProxy } from '#test/chains/fault-proxy.ts'
import type { Wallet } from '#test/chains/local-chain.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog } from '#test/silent-log.ts'
import { sendEach, writeRequest } from './lib/load.ts'
import { printTable } from './lib/print-table.ts'
import { cpuSeconds, readPostmasterPid } from './lib/processes.ts'

const [roundsAsked = '5', callersAsked = '1,8'] = process.argv.slice(2)
const rounds = Number(roundsAsked)
const callersTried = callersAsked.split(',').map(Number)
/** Of all callers together, in each round. */
const callsOf = (callers: number) => (callers === 1 ? 40 : 160)
const countedCalls = 20
const baseUnits = 100
const body = { text: 'hello' }

interface Seller {
  readonly url: string
  /** The address of what it sells. */
  readonly sold: string
  readonly pids: readonly number[]
  readonly node: FaultProxy | undefined
}

interface Slice {
  readonly perSecond: number
  readonly cpuMicros: number
}

const available = chainsAvailable()
if (!available.ok) throw new Error(available.reason)
const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
const chains = await startChains()
const { x402, wallets } = chains
const payers = await createPayers(Math.max(...callersTried))
const children: ChildProcess[] = []
try {
  // Before there are payments that the gateway watches until they are final.
  await compareRequests([
    await startGateway(await x402.proxy()),
    await startExpress(await x402.proxy()),
  ])
  for (const child of children.splice(0)) await end(child)
  await compareSpeed([await startGateway(), await startExpress()])
} finally {
  for (const child of children) await end(child)
  await chains.stop()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function compareSpeed(sellers: readonly Seller[]) {
  const rows = []
  for (const callers of callersTried) {
    const slices = new Map<Seller, Slice[]>(sellers.map((seller) => [seller, []]))
    for (let round = 0; round <= rounds; round += 1) {
      for (const seller of sellers) {
        const slice = await measure(seller, callers)
        // The first round only warms up the compiler.
        if (round > 0) slices.get(seller)?.push(slice)
      }
    }
    const [gateway, express] = sellers.map((seller) => median(slices.get(seller) ?? []))
    if (gateway === undefined || express === undefined) continue
    rows.push([
      callers,
      gateway.perSecond.toFixed(1),
      express.perSecond.toFixed(1),
      (gateway.perSecond / express.perSecond).toFixed(2),
      (gateway.cpuMicros / 1_000).toFixed(1),
      (express.cpuMicros / 1_000).toFixed(1),
      (gateway.cpuMicros / express.cpuMicros).toFixed(2),
    ])
  }
  const each = ['gateway', 'Express', 'gateway : Express']
  printTable(
    ['callers', ...each.map((name) => `${name}/s`), ...each.map((name) => `CPU ms ${name}`)],
    rows,
  )
}

async function measure(seller: Seller, callers: number): Promise<Slice> {
  const requests = await signRequests(seller, callers, callsOf(callers))
  const before = await cpuOf(seller)
  const { calls, callsPerSecond } = await sendEach({ url: seller.url, requests })
  const cpu = (await cpuOf(seller)) - before
  return { perSecond: callsPerSecond, cpuMicros: (cpu * 1e6) / calls }
}

/** What the node is asked for one call, by method. */
async function compareRequests(sellers: readonly Seller[]) {
  const counted: Map<string, string[]>[] = []
  for (const { node, ...seller } of sellers) {
    const requests = await signRequests(seller, 1, countedCalls)
    node?.seen.splice(0)
    await sendEach({ url: seller.url, requests })
    counted.push(Map.groupBy(node?.seen.slice() ?? [], (method) => method))
  }
  const methods = new Set(counted.flatMap((methods) => [...methods.keys()]))
  const perCall = (seen: readonly string[] = []) => (seen.length / countedCalls).toFixed(1)
  printTable(
    ['asked of the node, per call', 'gateway', 'Express'],
    [...methods]
      .toSorted()
      .map((method) => [method, ...counted.map((seen) => perCall(seen.get(method)))]),
  )
  console.log()
}

/** As many callers, each with its own wallet and its own share of the payments, signed by the protocol's own client. */
async function signRequests(
  { url, sold }: Pick<Seller, 'url' | 'sold'>,
  callers: number,
  calls: number,
) {
  const asked = await fetch(new URL(sold, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return await Promise.all(
    payers.slice(0, callers).map(async (client) => {
      const required = client.getPaymentRequiredResponse((name) => asked.headers.get(name))
      const requests: Buffer[] = []
      while (requests.length < calls / callers) {
        const payment = await client.createPaymentPayload(required)
        requests.push(writeRequest(sold, body, client.encodePaymentSignatureHeader(payment)))
      }
      return requests
    }),
  )
}

async function createPayers(count: number): Promise<readonly x402HTTPClient[]> {
  const created: Wallet[] = []
  while (created.length < count) created.push(await chains.createPayer())
  return created.map(({ privateKey }) => {
    const scheme = new ExactEvmScheme(privateKeyToAccount(privateKey))
    return new x402HTTPClient(new x402Client().register('eip155:*', scheme))
  })
}

async function startGateway(node?: FaultProxy): Promise<Seller> {
  const { url, pid } = await start(path.join(import.meta.dirname, 'lib/gateway-server.ts'), {
    DATABASE_URL: postgres.connectionString,
    DATA_DIR: dataDir,
    X402_NETWORK: `eip155:${x402.chainId}`,
    X402_RPC_URL: (node ?? x402).rpcUrl,
    X402_PAY_TO: wallets.payTo.address,
    X402_GAS_KEY: wallets.gas.privateKey,
  })
  const pids = [pid, await readPostmasterPid(postgres.directory)]
  return { url, sold: '/api/run/bench/noop', pids, node }
}

async function startExpress(node?: FaultProxy): Promise<Seller> {
  const program = '../test/payments/beside-express/express-server.ts'
  const { url, pid } = await start(path.join(import.meta.dirname, program), {
    RPC_URL: (node ?? x402).rpcUrl,
    CHAIN_ID: String(x402.chainId),
    ASSET: x402.asset,
    PAY_TO: wallets.payTo.address,
    GAS_KEY: wallets.refund.privateKey,
    AMOUNT: String(baseUnits),
    NODE_ENV: 'production',
  })
  return { url, sold: '/answer', pids: [pid], node }
}

async function start(program: string, env: Record<string, string>) {
  const child = fork(program, ['gateway', '0'], { env: { ...process.env, ...env } })
  children.push(child)
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }))
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}.`)))
  })
  return { url, pid: child.pid ?? 0 }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.disconnect()
  await ended
}

async function cpuOf({ pids }: Seller): Promise<number> {
  const each = await Promise.all(pids.map((pid) => cpuSeconds(pid)))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

function median(slices: readonly Slice[]): Slice {
  const middle = (pick: (slice: Slice) => number) =>
    slices.map(pick).toSorted((one, other) => one - other)[Math.floor(slices.length / 2)] ?? 0
  return {
    perSecond: middle((slice) => slice.perSecond),
    cpuMicros: middle((slice) => slice.cpuMicros),
  }
}
