import type { Hex } from '../../chains/chain.ts'
import { createTempoChain } from '../../chains/tempo.ts'
import type { SharedByRails } from '../../settings.ts'
import type { OpenRail, RailDependencies } from '../definition.ts'
import { createMppRail } from './rail.ts'
import type { MppSettings } from './settings.ts'

type Dependencies = RailDependencies<
  SharedByRails & MppSettings & { readonly MPP_RPC_URL: string; readonly MPP_RECIPIENT: Hex }
>

export async function openMpp({
  settings,
  clock,
  baseUrl,
  secret,
}: Dependencies): Promise<OpenRail> {
  const chain = createTempoChain({
    rpcUrl: settings.MPP_RPC_URL,
    chainId: settings.MPP_CHAIN_ID,
    currency: settings.MPP_CURRENCY,
    refundKey: settings.MPP_REFUND_KEY,
    confirmations: settings.CONFIRMATIONS,
    finalAfterBlocks: settings.MPP_FINAL_AFTER_BLOCKS,
    clock,
  })
  const { MPP_SECRET_KEY_PREVIOUS: previous } = settings
  const secretKey = settings.MPP_SECRET_KEY ?? (await secret('mpp-secret-key'))
  const rail = createMppRail({
    chain,
    clock,
    recipient: settings.MPP_RECIPIENT,
    secretKeys: previous === undefined ? [secretKey] : [secretKey, previous],
    realm: () => settings.MPP_REALM ?? new URL(baseUrl()).hostname,
    challengeLifetimeMs: settings.MPP_CHALLENGE_TTL * 1_000,
  })
  return { rail, check: chain.selfCheck, close: chain.close }
}
