// The operator's wallet: one key, and a purse for each protocol that the settings are there for.
import type { Clock, Log } from '#core/ports.ts'
import { createUpstreamWallet, type UpstreamWallet } from '#platform/http/upstream-wallet.ts'
import type { Hex } from '../chains/chain.ts'
import { createMppPurse } from './mpp/purse.ts'
import { assetOf } from './x402/asset.ts'
import { createX402Purse } from './x402/purse.ts'

/** Undefined where the settings name no wallet, or nothing that it could pay with. */
export function openUpstreamWallet(
  settings: Parameters<typeof assetOf>[0] & {
    readonly UPSTREAM_WALLET_KEY?: Hex | undefined
    readonly X402_ASSET_VERSION: string
    readonly MPP_RPC_URL?: string | undefined
    readonly MPP_CHAIN_ID: number
    readonly MPP_CURRENCY: Hex
  },
  { clock, log }: { clock: Clock; log: Log },
): UpstreamWallet | undefined {
  const { UPSTREAM_WALLET_KEY: key, X402_NETWORK: network, MPP_RPC_URL: rpcUrl } = settings
  if (key === undefined) return undefined
  const token = assetOf(settings)
  if (token === undefined) {
    log.error(
      { network },
      'The upstream wallet buys nothing by x402: X402_ASSET and X402_ASSET_NAME must name the token of this network.',
    )
  }
  const purses = [
    ...(token === undefined
      ? []
      : [
          createX402Purse({
            key,
            network: network as `eip155:${number}`,
            asset: token.asset,
            assetName: token.name,
            assetVersion: settings.X402_ASSET_VERSION,
            clock,
          }),
        ]),
    ...(rpcUrl === undefined
      ? []
      : [
          createMppPurse({
            key,
            rpcUrl,
            chainId: settings.MPP_CHAIN_ID,
            currency: settings.MPP_CURRENCY,
            clock,
            log,
          }),
        ]),
  ]
  return purses.length === 0 ? undefined : createUpstreamWallet(purses)
}
