import { centsToMicros } from '#core/money.ts'
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
  log,
  baseUrl,
  secret,
}: Dependencies): Promise<OpenRail> {
  const { MPP_ESCROW: escrow, MPP_SESSION_KEY: operatorKey } = settings
  if ((escrow === undefined) !== (operatorKey === undefined))
    log.error(
      { rail: 'mpp' },
      'Operator alert: MPP sessions are off. They need both MPP_ESCROW and MPP_SESSION_KEY; one of them is not set.',
    )
  const chain = createTempoChain({
    rpcUrl: settings.MPP_RPC_URL,
    chainId: settings.MPP_CHAIN_ID,
    currency: settings.MPP_CURRENCY,
    refundKey: settings.MPP_REFUND_KEY,
    channels: escrow && operatorKey && { escrow, operatorKey },
    confirmations: settings.CONFIRMATIONS,
    finalAfterBlocks: settings.MPP_FINAL_AFTER_BLOCKS,
    clock,
  })
  const { MPP_SECRET_KEY_PREVIOUS: previous } = settings
  const secretKey = settings.MPP_SECRET_KEY ?? (await secret('mpp-secret-key'))
  let hasEscrow = true
  const rail = createMppRail({
    chain,
    hasEscrow: () => hasEscrow,
    clock,
    recipient: settings.MPP_RECIPIENT,
    secretKeys: previous === undefined ? [secretKey] : [secretKey, previous],
    realm: () => settings.MPP_REALM ?? new URL(baseUrl()).hostname,
    challengeLifetimeMs: settings.MPP_CHALLENGE_TTL * 1_000,
    sessions: {
      depositMicros: centsToMicros(settings.MPP_SESSION_DEPOSIT),
      idleMsMax: settings.MPP_SESSION_IDLE * 1_000,
    },
  })
  return {
    rail,
    async check() {
      hasEscrow = (await chain.channels?.isThere().catch(() => hasEscrow)) ?? true
      const found = await chain.selfCheck()
      const missing = `MPP sessions are off: there is no channel escrow at MPP_ESCROW ${escrow} on this chain.`
      return hasEscrow ? found : { ...found, warnings: [...found.warnings, missing] }
    },
    close: chain.close,
  }
}
