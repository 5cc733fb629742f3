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
import { createTempoRefunds, type TempoRefunds } from './tempo-refunds.ts'
import { readVerdict, simulationCalls } from './tempo-transaction.ts'

/** The smallest refund and its fee need at least this much, in micro-dollars. */
const refundFloatMin = 100_000n

export interface TempoChainDependencies {
  readonly rpcUrl: string
  readonly chainId: number
  readonly currency: Hex
  readonly clock: Clock
  readonly refundKey?: Hex | undefined
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

  async function check(): Promise<SelfCheck> {
    const { refundAddress } = refunds
    const { problems } = await checkChain({ rpc, chainId, token: currency, clock })
    if (problems.length > 0 || refundAddress === undefined) return { problems, warnings: [] }
    const float = await reader.balanceOf(refundAddress)
    const warnings =
      float < refundFloatMin
        ? [`The refund wallet ${refundAddress} is almost empty: refunds wait until it is not.`]
        : []
    return { problems, warnings }
  }

  return {
    chainId,
    currency,
    ...reader,
    ...refunds,
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
