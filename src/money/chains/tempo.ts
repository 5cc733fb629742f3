// The chain of MPP: a Tempo chain and the dollar on it. A payment arrives as a signed transaction of the payer's; refunds
// are transactions of ours. Both die by themselves half a minute after they were signed, so neither needs a nonce lane.
import { encodeFunctionData, keccak256, maxUint256 } from 'viem'
import { tempo } from 'viem/chains'
import { Abis, Account, Transaction } from 'viem/tempo'
import type { Clock } from '#core/ports.ts'
import {
  type Broadcast,
  ChainRefusal,
  type Head,
  type Hex,
  lowerCase,
  type Receipt,
  type SelfCheck,
  type SignedTransaction,
  type Verdict,
} from './chain.ts'
import { memoTopic, refundName, topicOf } from './dollar.ts'
import { createReader, type Reader } from './reader.ts'
import { readBroadcast, readSimulation } from './refusal.ts'
import { createRpc, type RpcCall, type RpcReply, resultOf } from './rpc.ts'
import { checkChain, reportUnavailable } from './self-check.ts'

/** A transaction with an expiring nonce may live for 30 seconds at most, and clocks differ. */
const refundValidS = 25
/** Below what the smallest refund and its fee need. */
const refundFloatMin = 100_000n

export interface TempoChainOptions {
  readonly rpcUrl: string
  readonly chainId: number
  readonly currency: Hex
  readonly clock: Clock
  readonly refundKey?: Hex | undefined
  readonly confirmations?: number | undefined
  /** Blocks after which one is final. Unset: the node says. */
  readonly finalAfterBlocks?: number | undefined
  readonly timeoutMs?: number | undefined
}

export interface TempoTransaction {
  /** In the one form that this transaction has, whatever the form that it came in. */
  readonly raw: Hex
  readonly hash: Hex
  readonly from: Hex
  readonly chainId: number
  /** Once the chain's clock is past it, the transaction can never be carried out. Undefined: it never expires. */
  readonly validBeforeS: number | undefined
}

/** Every function throws ChainUnavailable when the node cannot be asked. */
export interface TempoChain {
  readonly chainId: number
  readonly currency: Hex
  readonly refundAddress: Hex | undefined
  /** Whether the chain would carry it out now. That it was carried out already does not show: ask for its receipt. */
  simulate(raw: Hex): Promise<Verdict>
  broadcast(raw: Hex): Promise<Broadcast>
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** Whether it is in a block, although it may not be deep enough to have a receipt here. */
  isMined(hash: Hex): Promise<boolean>
  findTransferWithMemo(
    from: Hex,
    memo: Hex,
    options?: { fromBlock?: bigint },
  ): Promise<Hex | undefined>
  /**
   * Signs the transfer that carries out a refund, and sends nothing. Throws ChainRefusal: `nonce_used` when a transfer
   * with its memo is in a block already. One that was sent must be dead (the chain's clock past `validBeforeS`, no
   * receipt) before another one is signed, for until then both could be carried out.
   */
  signRefund(refund: {
    refundId: string
    to: Hex
    amount: bigint
    /** Where to begin looking for an earlier transfer: the `signedAtBlock` of the first. */
    fromBlock?: bigint
  }): Promise<SignedTransaction & { readonly memo: Hex; readonly validBeforeS: number }>
  head(): Promise<Head>
  balanceOf(address: Hex): Promise<bigint>
  readonly progress: Reader['progress']
  readonly transfers: Reader['transfers']
  selfCheck(): Promise<SelfCheck>
  close(): Promise<void>
}

/** What a signed Tempo transaction is, or undefined when it is none. */
export async function readTempoTransaction(
  serialized: string,
): Promise<TempoTransaction | undefined> {
  if (!/^0x76[0-9a-f]+$/i.test(serialized)) return undefined
  try {
    const transaction = Transaction.deserialize(
      serialized as Transaction.TransactionSerializedTempo,
    )
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

export function createTempoChain(options: TempoChainOptions): TempoChain {
  const { chainId, clock } = options
  const currency = lowerCase(options.currency)
  const rpc = createRpc(options)
  const { findLog, ...reader } = createReader({
    rpc,
    token: currency,
    confirmations: options.confirmations,
    finalAfterBlocks: options.finalAfterBlocks,
  })
  const account =
    options.refundKey === undefined ? undefined : Account.fromSecp256k1(options.refundKey)
  const refundAddress = account === undefined ? undefined : lowerCase(account.address)

  async function findTransferWithMemo(from: Hex, memo: Hex, fromBlock?: bigint) {
    const log = await findLog([memoTopic, topicOf(from), null, lowerCase(memo)], fromBlock)
    return log === undefined ? undefined : lowerCase(log.transactionHash)
  }

  async function check(): Promise<SelfCheck> {
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
    refundAddress,
    async simulate(raw) {
      const { signature: _, ...transaction } = Transaction.deserialize(
        raw as Transaction.TransactionSerializedTempo,
      )
      const calls = transaction.calls ?? []
      const replies = await rpc.ask([
        {
          method: 'eth_call',
          params: [toRpc({ ...transaction, account: transaction.from }, 'call'), 'latest'],
        },
        ...(calls.length === 1 ? [alone(transaction.from, calls[0])] : []),
      ])
      return verdictOf(replies)
    },
    async broadcast(raw) {
      const [reply] = await rpc.ask([{ method: 'eth_sendRawTransaction', params: [raw] }])
      return readBroadcast(reply)
    },
    findTransferWithMemo: (from, memo, { fromBlock } = {}) =>
      findTransferWithMemo(from, memo, fromBlock),
    async signRefund({ refundId, to, amount, fromBlock }) {
      if (account === undefined) throw new TypeError('This chain was opened without a refund key.')
      const memo = refundName(refundId)
      const done = await findTransferWithMemo(lowerCase(account.address), memo, fromBlock)
      if (done !== undefined) throw new ChainRefusal('nonce_used')
      const head = await reader.head()
      const validBeforeS = head.timestampS + refundValidS
      const unpriced = {
        type: 'tempo',
        chainId,
        calls: [
          {
            to: currency,
            data: encodeFunctionData({
              abi: Abis.tip20,
              functionName: 'transferWithMemo',
              args: [to, amount, memo],
            }),
          },
        ],
        nonceKey: maxUint256,
        nonce: 0,
        validBefore: validBeforeS,
        feeToken: currency,
      }
      const replies = await rpc.ask([
        {
          method: 'eth_estimateGas',
          params: [toRpc({ ...unpriced, account: account.address }, 'estimateGas')],
        },
        { method: 'eth_getBlockByNumber', params: ['latest', false] },
        alone(account.address, unpriced.calls[0]),
      ])
      const verdict = verdictOf(replies.slice(2))
      if (!verdict.ok) throw new ChainRefusal(verdict.reason)
      const estimate = readSimulation(replies[0], 'eth_estimateGas')
      if ('reason' in estimate) throw new ChainRefusal(estimate.reason)
      const block = resultOf(replies[1], 'eth_getBlockByNumber')
      const raw = lowerCase(
        await account.signTransaction(
          {
            ...unpriced,
            gas: (BigInt(estimate.result) * 5n) / 4n,
            maxFeePerGas: BigInt(block.baseFeePerGas ?? '0x0') * 2n,
            maxPriorityFeePerGas: 0n,
          } as never,
          { serializer: Transaction.serialize as never },
        ),
      )
      return { raw, hash: keccak256(raw), signedAtBlock: head.number, memo, validBeforeS }
    },
    ...reader,
    selfCheck: () => reportUnavailable(check),
    close: rpc.close,
  }
}

/** The form in which Tempo nodes take transactions of their own kind; its library types them for its clients alone. */
function toRpc(transaction: object, action: 'call' | 'estimateGas'): object {
  return tempo.formatters.transactionRequest.format(transaction as never, action)
}

/** Some nodes carry out no calls when a whole transaction is simulated, so a single call is simulated on its own too. */
function alone(
  from: string | undefined,
  call: { to?: string | null | undefined; data?: string | undefined } | undefined,
): RpcCall {
  return { method: 'eth_call', params: [{ from, to: call?.to, data: call?.data }, 'latest'] }
}

function verdictOf(replies: readonly RpcReply[]): Verdict {
  for (const reply of replies) {
    const simulated = readSimulation(reply, 'eth_call')
    if ('reason' in simulated) return { ok: false, reason: simulated.reason }
  }
  return { ok: true }
}
