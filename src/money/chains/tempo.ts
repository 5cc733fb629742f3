// The chain of MPP: a Tempo chain and the dollar token on it. A payment arrives as a transaction that the payer has
// signed; this gateway signs refunds. Both expire half a minute after their signature, so neither needs a nonce lane.
import type { Clock } from '#core/ports.ts'
import {
  type Broadcast,
  type Hex,
  lowerCase,
  type SelfCheck,
  type SimulationResult,
} from './chain.ts'
import { createReader, type Reader } from './reader.ts'
import { readBroadcast } from './refusal.ts'
import { createRpc } from './rpc.ts'
import { checkChain, reportUnavailable } from './self-check.ts'
import { createTempoChannels, type TempoChannels } from './tempo-channels.ts'
import { createTempoRefunds, type TempoRefunds } from './tempo-refunds.ts'
import { createTempoSigner } from './tempo-signer.ts'
import { readVerdict, simulationCalls } from './tempo-transaction.ts'

/** The smallest refund, or the fee of some closes, needs at least this much, in micro-dollars. */
const floatMin = 100_000n

export interface TempoChainDependencies {
  readonly rpcUrl: string
  readonly chainId: number
  readonly currency: Hex
  readonly clock: Clock
  readonly refundKey?: Hex | undefined
  /** Unset: the chain has no payment channels for this gateway. */
  readonly channels?: { readonly escrow: Hex; readonly operatorKey: Hex } | undefined
  readonly confirmations?: number | undefined
  /** Depth at which a block is final. Unset: the node says which block is final. */
  readonly finalAfterBlocks?: number | undefined
  readonly timeoutMs?: number | undefined
}

/** Every function throws ChainUnavailable when the node cannot be asked. */
export interface TempoChain extends TempoRefunds, Omit<Reader, 'findLog'> {
  readonly chainId: number
  readonly currency: Hex
  readonly refundAddress: Hex | undefined
  readonly channels: TempoChannels | undefined
  /**
   * Whether the chain would carry it out now. A transaction that is already in a block may pass: ask for its receipt.
   */
  simulate(raw: Hex): Promise<SimulationResult>
  broadcast(raw: Hex): Promise<Broadcast>
  selfCheck(): Promise<SelfCheck>
  close(): Promise<void>
}

export function createTempoChain(dependencies: TempoChainDependencies): TempoChain {
  const { chainId, clock, confirmations, finalAfterBlocks, refundKey } = dependencies
  const currency = lowerCase(dependencies.currency)
  const rpc = createRpc(dependencies)
  const { findLog, ...reader } = createReader({
    rpc,
    token: currency,
    confirmations,
    finalAfterBlocks,
  })
  const { head } = reader
  const refunds = createTempoRefunds({
    rpc,
    reader: { findLog, head },
    chainId,
    currency,
    refundKey,
  })
  const channels = dependencies.channels && openChannels(dependencies.channels)

  function openChannels({ escrow, operatorKey: key }: { escrow: Hex; operatorKey: Hex }) {
    const signer = createTempoSigner({ rpc, reader, chainId, feeToken: currency, key })
    return createTempoChannels({ rpc, signer, escrow: lowerCase(escrow) })
  }

  /** What to tell the operator about a wallet that is almost empty. */
  const warnIfEmpty = async (address: Hex | undefined, name: string, effect: string) =>
    address !== undefined && (await reader.balanceOf(address)) < floatMin
      ? [`The ${name} wallet ${address} is almost empty: ${effect} until it is not.`]
      : []

  async function check(): Promise<SelfCheck> {
    const { problems } = await checkChain({ rpc, chainId, token: currency, clock })
    if (problems.length > 0) return { problems, warnings: [] }
    const warnings = [
      ...(await warnIfEmpty(refunds.refundAddress, 'refund', 'refunds wait')),
      ...(await warnIfEmpty(channels?.operator, 'session', 'payment channels stay open')),
    ]
    return { problems, warnings }
  }

  return {
    chainId,
    currency,
    ...reader,
    ...refunds,
    channels,
    async simulate(raw) {
      return readVerdict(await rpc.ask(simulationCalls(raw)))
    },
    async broadcast(raw) {
      const [reply] = await rpc.ask([{ method: 'eth_sendRawTransaction', params: [raw] }])
      return readBroadcast(reply)
    },
    selfCheck: () => reportUnavailable(check),
    close: rpc.close,
  }
}
