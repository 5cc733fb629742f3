// The two sellers: processes that can be killed, each with wallets and a node of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { openDatabase } from '#platform/database/database.ts'
import type { Chains } from '#test/chains/chains.ts'
import type { FaultProxy } from '#test/chains/fault-proxy.ts'
import type { Wallet } from '#test/chains/local-chain.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { type AtEnd, createTestDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { type GatewayProcess, startGatewayProcess } from '../../simulation/gateway-process.ts'
import { expectBooksLikeChains } from '../books.ts'
import { openTill } from '../paid-gateway.ts'

/** In base units: 2 cents. */
export const price = 20_000n

export interface Seller {
  readonly node: FaultProxy
  /** What it sells: an address on it, or the name of an action. */
  readonly sold: string
  readonly payTo: Wallet['address']
  /** The address of its process, which is started if none lives. */
  url(): Promise<string>
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>
  /** Resolves when nothing that it has begun goes on. */
  idle(): Promise<void>
}

export interface GatewaySeller extends Seller {
  /** Asserts that the books equal the chain. */
  expectBooksRight(): Promise<void>
}

export async function openGateway(
  chains: Chains,
  upstreamUrl: string,
  atEnd: AtEnd,
): Promise<GatewaySeller> {
  const till = await openTill(chains)
  const dataDir = await makeDataDirectory()
  atEnd(() => removeDataDirectory(dataDir))
  const DATABASE_URL = await createTestDatabase(atEnd)
  const database = openDatabase({ connectionString: DATABASE_URL, log: silentLog })
  atEnd(() => database.close())
  const overX402 = Object.entries(till.env).filter(([name]) => name.startsWith('X402_'))
  const env = {
    ...Object.fromEntries(overX402),
    DATABASE_URL,
    TOLLWAY_PROVIDERS: path.join(import.meta.dirname, 'provider.ts'),
    UPSTREAM_URL: upstreamUrl,
  }
  let living: GatewayProcess | undefined
  const kill = async () => {
    await living?.kill()
    living = undefined
  }
  atEnd(kill)
  return {
    node: till.node.x402,
    sold: 'beside/answer',
    payTo: till.payTo,
    async url() {
      living ??= startGatewayProcess(dataDir, env)
      return await living.listening
    },
    kill,
    idle: () =>
      until(async () => {
        const open = `select 1 from payment where state in ('claimed', 'owed', 'settling')`
        return (await database.query(open)).length === 0
      }),
    expectBooksRight: () => expectBooksLikeChains(database, chains, till),
  }
}

export async function openExpress(
  chains: Chains,
  upstreamUrl: string,
  atEnd: AtEnd,
): Promise<Seller> {
  const { x402 } = chains
  const node = await x402.proxy()
  const [gas, { address: payTo }] = await Promise.all([
    chains.createPayer(0n),
    chains.createPayer(0n),
  ])
  await x402.rpc('anvil_setBalance', [gas.address, '0x56bc75e2d63100000'])
  const env = {
    PATH: process.env.PATH ?? '',
    RPC_URL: node.rpcUrl,
    CHAIN_ID: String(x402.chainId),
    ASSET: x402.asset,
    PAY_TO: payTo,
    GAS_KEY: gas.privateKey,
    AMOUNT: String(price),
    UPSTREAM_URL: upstreamUrl,
  }
  let living: { readonly child: ChildProcess; readonly url: Promise<string> } | undefined
  const kill = async () => {
    if (living === undefined) return
    const ended = once(living.child, 'exit')
    living.child.kill('SIGKILL')
    living = undefined
    await ended
  }
  const url = () => {
    if (living === undefined) {
      const started = startExpress(env)
      living = started
      // As a supervisor does, the next request starts one that has ended by itself.
      started.child.once('exit', () => {
        if (living === started) living = undefined
      })
    }
    return living.url
  }
  atEnd(kill)
  return {
    node,
    sold: '/answer',
    payTo,
    url,
    kill,
    idle: () => until(async () => (await (await fetch(`${await url()}/underway`)).json()) === 0),
  }
}

function startExpress(env: Readonly<Record<string, string>>) {
  const child = fork(path.join(import.meta.dirname, 'express-server.ts'), {
    // Not those of the test worker, which load the development builds of packages.
    execArgv: [],
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const url = new Promise<string>((resolve, reject) => {
    child.once('message', ({ url }: { url: string }) => resolve(url))
    child.once('exit', (code) => reject(new Error(`Express ended with ${code}.`)))
  })
  url.catch(() => {})
  return { child, url }
}
