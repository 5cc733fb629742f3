// Opens the x402 rail: its chain, and either the facilitator or the gas lane.
import { privateKeyToAccount } from 'viem/accounts'
import type { Hex, SelfCheck } from '../../chains/chain.ts'
import { createEvmChain, type EvmChain } from '../../chains/evm.ts'
import type { SharedByRails } from '../../settings.ts'
import type { OpenRail, RailDependencies } from '../definition.ts'
import { assetOf } from './asset.ts'
import { createFacilitator, type Facilitator } from './facilitator.ts'
import { keepGasLane } from './gas-lane.ts'
import { createX402Rail } from './rail.ts'
import type { X402Settings } from './settings.ts'

type Dependencies = RailDependencies<
  SharedByRails & X402Settings & { readonly X402_RPC_URL: string; readonly X402_PAY_TO: Hex }
>

export async function openX402(dependencies: Dependencies): Promise<OpenRail | undefined> {
  const { settings, clock, log, baseUrl, database, counters } = dependencies
  const token = assetOf(settings)
  if (token === undefined) {
    log.error(
      { network: settings.X402_NETWORK },
      'x402 is off: X402_ASSET and X402_ASSET_NAME must name the token of this network.',
    )
    return undefined
  }
  const { chain, gasAddress } = openChain(dependencies, token)
  const facilitator = openFacilitator(settings, chain)
  let hasUpto = false
  const rail = createX402Rail({
    chain,
    clock,
    counters,
    baseUrl,
    facilitator,
    assetName: token.name,
    assetVersion: settings.X402_ASSET_VERSION,
    payTo: settings.X402_PAY_TO,
    signInKey: await dependencies.secret('sign-in-key'),
    maxTimeoutSeconds: settings.X402_MAX_TIMEOUT_SECONDS,
    hasUpto: () => hasUpto,
  })
  const gasLane =
    gasAddress === undefined ? undefined : keepGasLane({ chain, database, clock, log, gasAddress })
  return {
    rail,
    async check() {
      const canSettle = gasAddress !== undefined || facilitator !== undefined
      // A facilitator of others has no permit to take less than the whole payment.
      if (gasAddress !== undefined && facilitator === undefined)
        hasUpto = await chain.hasPermits().catch(() => hasUpto)
      return joinChecks([
        await chain.selfCheck(),
        await facilitator?.selfCheck(),
        canSettle ? undefined : cannotSettle,
      ])
    },
    async close() {
      await gasLane?.close()
      await facilitator?.close()
      await chain.close()
    },
  }
}

const cannotSettle: SelfCheck = {
  problems: ['Payments cannot be settled: set X402_GAS_KEY or X402_FACILITATOR_URL.'],
  warnings: [],
}

function joinChecks(checks: readonly (SelfCheck | undefined)[]): SelfCheck {
  const done = checks.filter((check) => check !== undefined)
  return {
    problems: done.flatMap(({ problems }) => problems),
    warnings: done.flatMap(({ warnings }) => warnings),
    ...(done.some(({ away }) => away) ? { away: true } : {}),
  }
}

function openChain(
  { settings, database, clock }: Dependencies,
  { asset, name: assetName }: NonNullable<ReturnType<typeof assetOf>>,
): { chain: EvmChain; gasAddress: string | undefined } {
  const { X402_GAS_KEY: gasKey, X402_NETWORK: network } = settings
  const chainId = Number(network.slice('eip155:'.length))
  const gasAddress = gasKey && privateKeyToAccount(gasKey).address.toLowerCase()
  const chain = createEvmChain({
    rpcUrl: settings.X402_RPC_URL,
    chainId,
    asset,
    assetName,
    assetVersion: settings.X402_ASSET_VERSION,
    gasKey,
    refundKey: settings.X402_REFUND_KEY,
    confirmations: settings.CONFIRMATIONS,
    finalAfterBlocks: settings.X402_FINAL_AFTER_BLOCKS,
    nonceLane: {
      async reserve(floor) {
        // Its commit need not wait for the disk: that of the transaction which is stored with this number does, later.
        const [row] = await database.query<{ nonce: number }>(
          `select take_gas_nonce($1, $2, $3) as nonce, set_config('synchronous_commit', 'off', true)`,
          [chainId, gasAddress, floor],
        )
        return row?.nonce ?? floor
      },
    },
    clock,
  })
  return { chain, gasAddress }
}

function openFacilitator(
  { X402_FACILITATOR_URL: facilitatorUrl, X402_FACILITATOR_KEY: apiKey }: X402Settings,
  { chainId }: EvmChain,
): Facilitator | undefined {
  if (facilitatorUrl === undefined) return undefined
  return createFacilitator({ facilitatorUrl, apiKey, network: `eip155:${chainId}` })
}
