// Transactions of Tempo's own kind: reads signed ones, and asks a node whether it would carry one out.
import { keccak256 } from 'viem'
import { tempo } from 'viem/chains'
import { Transaction } from 'viem/tempo'
import { type Hex, lowerCase, type SimulationResult } from './chain.ts'
import { readSimulation } from './refusal.ts'
import type { RpcCall, RpcReply } from './rpc.ts'

export interface TempoTransaction {
  /** The canonical serialization. The payer may have sent another one. */
  readonly raw: Hex
  readonly hash: Hex
  readonly from: Hex
  readonly chainId: number
  /** The chain never carries out the transaction after this time. Undefined: it never expires. */
  readonly validBeforeS: number | undefined
}

/** With the second prefix another one pays the fee. */
const isSerialized = (
  text: string,
): text is Transaction.TransactionSerializedTempo | Transaction.TransactionSerializedFeePayer =>
  /^0x7[68]/i.test(text)

/** Throws for any text but a transaction of Tempo. */
export function deserialize(text: string) {
  if (!isSerialized(text)) throw new Error('The text is not a transaction of Tempo.')
  return Transaction.deserialize(text)
}

/** Undefined when the text does not hold a signed Tempo transaction. */
export async function readTempoTransaction(
  serialized: string,
): Promise<TempoTransaction | undefined> {
  if (!/^0x76[0-9a-f]+$/i.test(serialized)) return undefined
  try {
    const transaction = deserialize(serialized)
    const { from, chainId, signature, validBefore } = transaction
    if (from === undefined || signature === undefined) return undefined
    const raw = lowerCase(await Transaction.serialize(transaction as never))
    return {
      raw,
      hash: keccak256(raw),
      from: lowerCase(from),
      chainId,
      validBeforeS: validBefore === undefined ? undefined : Number(validBefore),
    }
  } catch {
    return undefined
  }
}

/** The questions whether the chain would carry out a signed transaction. `readVerdict` reads the replies. */
export function simulationCalls(raw: Hex): RpcCall[] {
  const { signature: _, ...transaction } = deserialize(raw)
  const { from, calls = [] } = transaction
  const whole = toRpc({ ...transaction, account: from }, 'call')
  return [
    { method: 'eth_call', params: [whole, 'latest'] },
    ...(calls.length === 1 ? [singleCall(from, calls[0])] : []),
  ]
}

/** Some nodes skip the calls when they simulate a whole transaction, so a single call is also simulated alone. */
export function singleCall(
  from: string | undefined,
  call: { to?: string | null | undefined; data?: string | undefined } | undefined,
): RpcCall {
  return { method: 'eth_call', params: [{ from, to: call?.to, data: call?.data }, 'latest'] }
}

export function readVerdict(replies: readonly RpcReply[]): SimulationResult {
  for (const reply of replies) {
    const simulated = readSimulation(reply, 'eth_call')
    if ('reason' in simulated) return { ok: false, reason: simulated.reason }
  }
  return { ok: true }
}

/** Formats a transaction as Tempo nodes expect it. The library types this formatter for its own clients only. */
export function toRpc(transaction: object, action: 'call' | 'estimateGas'): object {
  return tempo.formatters.transactionRequest.format(transaction as never, action)
}
