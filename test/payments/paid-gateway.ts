// A gateway that is paid on two real local chains, each behind a proxy that can fail. It has wallets of its own, so
// their balances show what it has received and refunded.
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { type Chains, chainsAvailable, startChains } from '#test/chains/chains.ts'
import type { FaultProxy } from '#test/chains/fault-proxy.ts'
import type { LocalChain, Wallet } from '#test/chains/local-chain.ts'
import type { AtEnd } from '#test/database.ts'
import { type Gateway, type GatewayOptions, startGateway } from '#test/harness.ts'
import { createLogCapture, type LogCapture } from '#test/log-capture.ts'

/** The rails on chains that the tests run. */
export type ChainRail = 'x402' | 'mpp'

export const rails: readonly ChainRail[] = ['x402', 'mpp']

/** Whether the nodes can run here; otherwise the reason for skipping. */
export const payments = chainsAvailable()

export interface Till {
  readonly env: Readonly<Record<string, string>>
  readonly node: Readonly<Record<ChainRail, FaultProxy>>
  readonly payTo: Wallet['address']
  readonly refundWallet: Wallet
  readonly gasWallet: Wallet
}

export interface PaidGateway extends Gateway {
  readonly chains: Chains
  readonly till: Till
  readonly log: LogCapture
  /** What it had received before this test, in base units. Zero unless it is shared. */
  readonly earlier: Record<ChainRail, bigint>
}

/** Starts both chains, once for all tests of a file. */
export function shareChains(): () => Chains {
  let chains: Chains | undefined
  if (payments.ok) {
    beforeAll(async () => {
      chains = await startChains()
    })
    afterAll(() => chains?.stop())
  }
  return () => {
    if (chains === undefined) throw new Error('The chains start with the first test.')
    return chains
  }
}

/**
 * One gateway for all tests of a file that leave only payments behind. Each test finds its nodes and its provider as
 * new, and `received` counts from its start.
 */
export function sharePaidGateway(
  chains: () => Chains,
  options: GatewayOptions = {},
): () => PaidGateway {
  let gateway: PaidGateway | undefined
  const endings: (() => Promise<void>)[] = []
  if (payments.ok) {
    beforeAll(async () => {
      gateway = await startPaidGateway(chains(), options, (work) => endings.unshift(work))
    })
    beforeEach(async () => {
      if (gateway !== undefined) await reset(gateway)
    })
    afterAll(async () => {
      for (const end of endings) await end()
    })
  }
  return () => {
    if (gateway === undefined) throw new Error('The shared gateway starts with the first test.')
    return gateway
  }
}

async function reset({ provider, chains, till, earlier }: PaidGateway) {
  provider.reset()
  for (const rail of rails) {
    till.node[rail].up()
    till.node[rail].seen.length = 0
    earlier[rail] = await chainOf(chains, rail).balanceOf(till.payTo)
  }
}

export async function startPaidGateway(
  chains: Chains,
  options: GatewayOptions & { till?: Till } = {},
  atEnd: AtEnd = onTestFinished,
): Promise<PaidGateway> {
  const till = options.till ?? (await openTill(chains))
  const log = createLogCapture()
  const gateway = await startGateway(
    { log, ...options, env: { ...till.env, ...options.env } },
    atEnd,
  )
  return { ...gateway, chains, till, log, earlier: { x402: 0n, mpp: 0n } }
}

/** The settings of a gateway that is paid, with new wallets. */
export async function openTill(chains: Chains): Promise<Till> {
  const [x402Node, mppNode] = await Promise.all([chains.x402.proxy(), chains.mpp.proxy()])
  const [refundWallet, gasWallet, payTo] = await Promise.all([
    chains.createPayer(),
    chains.createPayer(0n),
    chains.createPayer(0n),
  ])
  await chains.x402.rpc('anvil_setBalance', [gasWallet.address, '0x56bc75e2d63100000'])
  return {
    payTo: payTo.address,
    refundWallet,
    gasWallet,
    node: { x402: x402Node, mpp: mppNode },
    env: {
      X402_NETWORK: `eip155:${chains.x402.chainId}`,
      X402_RPC_URL: x402Node.rpcUrl,
      X402_PAY_TO: payTo.address,
      X402_GAS_KEY: gasWallet.privateKey,
      X402_REFUND_KEY: refundWallet.privateKey,
      MPP_RPC_URL: mppNode.rpcUrl,
      MPP_CHAIN_ID: String(chains.mpp.chainId),
      MPP_CURRENCY: chains.mpp.asset,
      MPP_RECIPIENT: payTo.address,
      MPP_SECRET_KEY: 'a secret of the tests, which is long enough',
      MPP_REFUND_KEY: refundWallet.privateKey,
    },
  }
}

/** The chain of a rail. */
export function chainOf(chains: Chains, rail: ChainRail): LocalChain {
  return rail === 'x402' ? chains.x402 : chains.mpp
}
