// Signs refunds on a Tempo chain: transfers with a memo, from the operator's refund wallet.
import { encodeFunctionData, keccak256, maxUint256 } from 'viem'
import { Abis, Account, Transaction } from 'viem/tempo'
import { ChainRefusal, type Hex, lowerCase, type SignedTransaction } from './chain.ts'
import { memoTopic, refundName, topicOf } from './dollar.ts'
import type { Reader } from './reader.ts'
import { readSimulation } from './refusal.ts'
import { type Rpc, type RpcCall, type RpcReply, resultOf } from './rpc.ts'
import { readVerdict, singleCall, toRpc } from './tempo-transaction.ts'

/** A transaction with an expiring nonce may live for 30 seconds at most, and clocks differ. */
const refundValidS = 25

export interface TempoRefunds {
  findTransferWithMemo(
    from: Hex,
    memo: Hex,
    options?: { fromBlock?: bigint },
  ): Promise<Hex | undefined>
  /**
   * Signs the transfer that carries out a refund, and sends nothing. Throws ChainRefusal with `nonce_used` when a block
   * already holds a transfer with its memo. Sign another transfer only when the first is dead (the chain's clock is
   * past `validBeforeS` and there is no receipt): until then the chain could carry out both.
   */
  signRefund(refund: {
    refundId: string
    to: Hex
    amount: bigint
    /** Where the search for an earlier transfer begins: the `signedAtBlock` of the first. */
    fromBlock?: bigint
  }): Promise<SignedTransaction & { readonly memo: Hex; readonly validBeforeS: number }>
}

export function createTempoRefunds(dependencies: {
  rpc: Rpc
  reader: Pick<Reader, 'findLog' | 'head'>
  chainId: number
  currency: Hex
  refundKey: Hex | undefined
}): TempoRefunds & { readonly refundAddress: Hex | undefined } {
  const { rpc, reader, chainId, currency, refundKey } = dependencies
  const account = refundKey === undefined ? undefined : Account.fromSecp256k1(refundKey)
  const refundAddress = account === undefined ? undefined : lowerCase(account.address)

  async function findTransferWithMemo(from: Hex, memo: Hex, options?: { fromBlock?: bigint }) {
    const topics = [memoTopic, topicOf(from), null, lowerCase(memo)]
    const log = await reader.findLog(topics, options?.fromBlock)
    return log === undefined ? undefined : lowerCase(log.transactionHash)
  }

  return {
    refundAddress,
    findTransferWithMemo,
    async signRefund({ refundId, to, amount, ...search }) {
      if (account === undefined) throw new TypeError('This chain was opened without a refund key.')
      const memo = refundName(refundId)
      const done = await findTransferWithMemo(lowerCase(account.address), memo, search)
      if (done !== undefined) throw new ChainRefusal('nonce_used')
      const { number: signedAtBlock, timestampS } = await reader.head()
      const validBeforeS = timestampS + refundValidS
      const unpriced = memoTransfer({ chainId, currency, to, amount, memo, validBeforeS })
      const fees = readFees(await rpc.ask(feeCalls(account.address, unpriced)))
      const signed = await account.signTransaction({ ...unpriced, ...fees } as never, {
        serializer: Transaction.serialize as never,
      })
      const raw = lowerCase(signed)
      return { raw, hash: keccak256(raw), signedAtBlock, memo, validBeforeS }
    },
  }
}

type MemoTransfer = ReturnType<typeof memoTransfer>

/** A transfer without its fees. Its nonce expires, so it needs no number. */
function memoTransfer(transfer: {
  chainId: number
  currency: Hex
  to: Hex
  amount: bigint
  memo: Hex
  validBeforeS: number
}) {
  const { chainId, currency, to, amount, memo, validBeforeS } = transfer
  const data = encodeFunctionData({
    abi: Abis.tip20,
    functionName: 'transferWithMemo',
    args: [to, amount, memo],
  })
  return {
    type: 'tempo',
    chainId,
    calls: [{ to: currency, data }],
    nonceKey: maxUint256,
    nonce: 0,
    validBefore: validBeforeS,
    feeToken: currency,
  }
}

const feeCalls = (from: Hex, transfer: MemoTransfer): RpcCall[] => [
  { method: 'eth_estimateGas', params: [toRpc({ ...transfer, account: from }, 'estimateGas')] },
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  singleCall(from, transfer.calls[0]),
]

/** Throws ChainRefusal when the transfer would fail. */
function readFees([gas, head, ...simulations]: readonly RpcReply[]) {
  const verdict = readVerdict(simulations)
  if (!verdict.ok) throw new ChainRefusal(verdict.reason)
  const estimate = readSimulation(gas, 'eth_estimateGas')
  if ('reason' in estimate) throw new ChainRefusal(estimate.reason)
  const block = resultOf(head, 'eth_getBlockByNumber')
  return {
    gas: (BigInt(estimate.result) * 5n) / 4n,
    maxFeePerGas: BigInt(block.baseFeePerGas ?? '0x0') * 2n,
    maxPriorityFeePerGas: 0n,
  }
}
