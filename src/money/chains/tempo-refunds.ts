// Signs refunds on a Tempo chain: transfers with a memo, from the operator's refund wallet.
import { encodeFunctionData } from 'viem'
import { Abis } from 'viem/tempo'
import { ChainRefusal, type Hex, lowerCase } from './chain.ts'
import { memoTopic, refundName, topicOf } from './dollar.ts'
import type { Reader } from './reader.ts'
import type { Rpc } from './rpc.ts'
import { createTempoSigner, type SignedCall } from './tempo-signer.ts'

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
  }): Promise<SignedCall & { readonly memo: Hex }>
}

export function createTempoRefunds(dependencies: {
  rpc: Rpc
  reader: Pick<Reader, 'findLog' | 'head'>
  chainId: number
  currency: Hex
  refundKey: Hex | undefined
}): TempoRefunds & { readonly refundAddress: Hex | undefined } {
  const { reader, currency, refundKey: key } = dependencies
  const signer =
    key === undefined ? undefined : createTempoSigner({ ...dependencies, feeToken: currency, key })

  async function findTransferWithMemo(from: Hex, memo: Hex, options?: { fromBlock?: bigint }) {
    const topics = [memoTopic, topicOf(from), null, lowerCase(memo)]
    const log = await reader.findLog(topics, options?.fromBlock)
    return log === undefined ? undefined : lowerCase(log.transactionHash)
  }

  return {
    refundAddress: signer?.address,
    findTransferWithMemo,
    async signRefund({ refundId, to, amount, ...search }) {
      if (signer === undefined) throw new TypeError('This chain was opened without a refund key.')
      const memo = refundName(refundId)
      const done = await findTransferWithMemo(signer.address, memo, search)
      if (done !== undefined) throw new ChainRefusal('nonce_used')
      const data = encodeFunctionData({
        abi: Abis.tip20,
        functionName: 'transferWithMemo',
        args: [to, amount, memo],
      })
      return { ...(await signer.sign({ to: currency, data })), memo }
    },
  }
}
