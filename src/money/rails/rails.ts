// The rails that this gateway is configured for. One that does not pass its own check is off, and tried again: nobody is
// challenged to pay where the money would be lost.

import { privateKeyToAccount } from 'viem/accounts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Hex, SelfCheck } from '../chains/chain.ts'
import { createEvmChain } from '../chains/evm.ts'
import { createTempoChain } from '../chains/tempo.ts'
import { createMppRail } from './mpp/rail.ts'
import type { Rail, RailId } from './rail.ts'
import { assetOf } from './x402/asset.ts'
import { createFacilitator } from './x402/facilitator.ts'
import { keepGasLane } from './x402/gas-lane.ts'
import { createX402Rail } from './x402/rail.ts'

export interface RailSettings {
  readonly X402_NETWORK: string
  readonly X402_RPC_URL?: string | undefined
  readonly X402_PAY_TO?: Hex | undefined
  readonly X402_GAS_KEY?: Hex | undefined
  readonly X402_REFUND_KEY?: Hex | undefined
  readonly X402_FACILITATOR_URL?: string | undefined
  readonly X402_FACILITATOR_KEY?: string | undefined
  readonly X402_MAX_TIMEOUT_SECONDS?: number | undefined
  readonly X402_ASSET?: Hex | undefined
  readonly X402_ASSET_NAME?: string | undefined
  readonly X402_ASSET_VERSION: string
  readonly MPP_RPC_URL?: string | undefined
  readonly MPP_CHAIN_ID: number
  readonly MPP_CURRENCY: Hex
  readonly MPP_RECIPIENT?: Hex | undefined
  readonly MPP_SECRET_KEY?: string | undefined
  readonly MPP_SECRET_KEY_PREVIOUS?: string | undefined
  readonly MPP_REFUND_KEY?: Hex | undefined
  readonly MPP_REALM?: string | undefined
  readonly MPP_CHALLENGE_TTL: number
  readonly CONFIRMATIONS: number
  readonly X402_FINAL_AFTER_BLOCKS?: number | undefined
  readonly MPP_FINAL_AFTER_BLOCKS?: number | undefined
}

export interface Rails {
  /** Those that work now: they are offered. */
  readonly open: ReadonlyMap<RailId, Rail>
  /** Those that have worked once: what is on its way by them goes on, whatever is wrong now. */
  readonly known: ReadonlyMap<RailId, Rail>
  /** Why the others do not, for the operator. */
  readonly closed: ReadonlyMap<RailId, readonly string[]>
  /** Checks all of them, the open ones too. */
  recheck(): Promise<void>
  close(): Promise<void>
}

const recheckIntervalMs = 5_000
/** A gas wallet runs dry while the rail is open: whoever sells on works for nothing. */
const openRecheckIntervalMs = 60_000

interface Candidate {
  readonly rail: Rail
  readonly check: () => Promise<SelfCheck>
  readonly close: () => Promise<void>
}

export async function openRails(room: {
  settings: RailSettings
  database: Database
  clock: Clock
  log: Log
  baseUrl: () => string
  /** Secrets that all gateways of the database have in common. */
  secret: (name: 'mpp-secret-key' | 'sign-in-key') => Promise<string>
}): Promise<Rails> {
  const candidates = [await x402Candidate(room), await mppCandidate(room)].filter(
    (candidate) => candidate !== undefined,
  )
  const open = new Map<RailId, Rail>()
  const known = new Map<RailId, Rail>()
  const closed = new Map<RailId, readonly string[]>()
  const warned = new Map<RailId, string>()

  async function check({ rail, check }: Candidate) {
    const { problems: reasons, warnings, away } = await check()
    // A node that is away for a moment takes no payment either, and those on their way are not to wait for this check.
    if (away && open.has(rail.id)) return
    if (warnings.length > 0 && warned.get(rail.id) !== String(warnings))
      room.log.warn({ rail: rail.id, warnings }, 'A payment rail needs attention.')
    warned.set(rail.id, String(warnings))
    if (reasons.length === 0) {
      open.set(rail.id, rail)
      known.set(rail.id, rail)
      closed.delete(rail.id)
      return
    }
    if (String(closed.get(rail.id)) !== String(reasons)) {
      room.log.error(
        { rail: rail.id, reasons },
        'Operator alert: a payment rail is off until this is mended.',
      )
    }
    open.delete(rail.id)
    closed.set(rail.id, reasons)
  }

  const recheck = async (which: (candidate: Candidate) => boolean = () => true) => {
    await Promise.all(candidates.filter(which).map(check))
  }
  await recheck()
  const timers = [
    setInterval(() => void recheck(({ rail }) => !open.has(rail.id)), recheckIntervalMs),
    setInterval(() => void recheck(({ rail }) => open.has(rail.id)), openRecheckIntervalMs),
  ]
  for (const timer of timers) timer.unref()

  return {
    open,
    known,
    closed,
    recheck: () => recheck(),
    async close() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(candidates.map((candidate) => candidate.close()))
    },
  }
}

type Room = Parameters<typeof openRails>[0]

async function x402Candidate({
  settings,
  database,
  clock,
  log,
  baseUrl,
  secret,
}: Room): Promise<Candidate | undefined> {
  const { X402_RPC_URL: rpcUrl, X402_PAY_TO: payTo, X402_NETWORK: network } = settings
  const { asset, name: assetName } = assetOf(settings) ?? {}
  if (rpcUrl === undefined || payTo === undefined) return undefined
  if (asset === undefined || assetName === undefined) {
    log.error(
      { network },
      'x402 is off: X402_ASSET and X402_ASSET_NAME must name the token of this network.',
    )
    return undefined
  }
  const chainId = Number(network.slice('eip155:'.length))
  const assetVersion = settings.X402_ASSET_VERSION
  const { X402_GAS_KEY: gasKey } = settings
  const gasAddress = gasKey && privateKeyToAccount(gasKey).address.toLowerCase()
  const chain = createEvmChain({
    rpcUrl,
    chainId,
    asset,
    assetName,
    assetVersion,
    gasKey,
    refundKey: settings.X402_REFUND_KEY,
    confirmations: settings.CONFIRMATIONS,
    finalAfterBlocks: settings.X402_FINAL_AFTER_BLOCKS,
    nonceLane: {
      async reserve(floor) {
        const [row] = await database.query<{ nonce: number }>(
          'select take_gas_nonce($1, $2, $3) as nonce',
          [chainId, gasAddress, floor],
        )
        return row?.nonce ?? floor
      },
    },
    clock,
  })
  const { X402_FACILITATOR_URL: facilitatorUrl } = settings
  const facilitator =
    facilitatorUrl === undefined
      ? undefined
      : createFacilitator({
          facilitatorUrl,
          apiKey: settings.X402_FACILITATOR_KEY,
          network: `eip155:${chainId}`,
        })
  const rail = createX402Rail({
    chain,
    clock,
    assetName,
    assetVersion,
    payTo,
    baseUrl,
    signInKey: await secret('sign-in-key'),
    facilitator,
    maxTimeoutSeconds: settings.X402_MAX_TIMEOUT_SECONDS,
  })
  const keeper =
    gasAddress === undefined
      ? undefined
      : keepGasLane({ chain, database, clock, log, chainId, gasAddress })
  return {
    rail,
    async check() {
      const own = await chain.selfCheck()
      const theirs = await facilitator?.selfCheck()
      const settles =
        gasKey === undefined && facilitator === undefined
          ? ['Nobody can settle: set X402_GAS_KEY or X402_FACILITATOR_URL.']
          : []
      return {
        problems: [...own.problems, ...(theirs?.problems ?? []), ...settles],
        warnings: [...own.warnings, ...(theirs?.warnings ?? [])],
        ...((own.away ?? theirs?.away) ? { away: true } : {}),
      }
    },
    async close() {
      await keeper?.close()
      await facilitator?.close()
      await chain.close()
    },
  }
}

async function mppCandidate({
  settings,
  clock,
  baseUrl,
  secret,
}: Room): Promise<Candidate | undefined> {
  const {
    MPP_RPC_URL: rpcUrl,
    MPP_RECIPIENT: recipient,
    MPP_SECRET_KEY_PREVIOUS: previous,
  } = settings
  if (rpcUrl === undefined || recipient === undefined) return undefined
  const chain = createTempoChain({
    rpcUrl,
    chainId: settings.MPP_CHAIN_ID,
    currency: settings.MPP_CURRENCY,
    refundKey: settings.MPP_REFUND_KEY,
    confirmations: settings.CONFIRMATIONS,
    finalAfterBlocks: settings.MPP_FINAL_AFTER_BLOCKS,
    clock,
  })
  const secretKey = settings.MPP_SECRET_KEY ?? (await secret('mpp-secret-key'))
  const rail = createMppRail({
    chain,
    clock,
    recipient,
    secretKeys: previous === undefined ? [secretKey] : [secretKey, previous],
    realm: () => settings.MPP_REALM ?? new URL(baseUrl()).hostname,
    challengeLifetimeMs: settings.MPP_CHALLENGE_TTL * 1_000,
  })
  return { rail, check: chain.selfCheck, close: chain.close }
}
