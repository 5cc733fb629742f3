// A refund is a transfer from the refund wallet. Its memo names the refund, so an earlier transfer is found on the
// chain.
import { hexOf } from '../../chains/chain.ts'
import { refundName } from '../../chains/dollar.ts'
import type { TempoChain } from '../../chains/tempo.ts'
import type { ChainVerdict, Rail } from '../rail.ts'
import { headLagMsMax } from './settle.ts'

const fromBlockOf = (signedAtBlock: number | null) =>
  signedAtBlock === null ? {} : { fromBlock: BigInt(signedAtBlock) }

export function createMppRefunds(
  chain: TempoChain,
): Pick<Rail, 'signRefund' | 'sendRefund' | 'inspectRefund'> {
  /**
   * By the hash of the last transaction. Undefined: no reorganisation can bring it back any more, so the memo is
   * searched for. The chain does not compare memos, so another transaction signed before that would pay twice.
   */
  async function inspectSent(sent: {
    readonly hash: string
    readonly validUntilMs: number
  }): Promise<ChainVerdict | undefined> {
    const receipt = await chain.receipt(hexOf(sent.hash))
    if (receipt?.status === 'success')
      return { state: 'settled', hash: sent.hash, block: Number(receipt.blockNumber) }
    const { timestampS } = await chain.finalHead()
    const mayBeMined = timestampS * 1_000 <= sent.validUntilMs + headLagMsMax
    return mayBeMined ? { state: 'pending' } : undefined
  }

  async function findByMemo(id: string, signedAtBlock: number | null): Promise<ChainVerdict> {
    const from = chain.refundAddress
    if (from === undefined) throw new Error('MPP_REFUND_KEY is not set, so refunds wait.')
    const hash = await chain.findTransferWithMemo(from, refundName(id), fromBlockOf(signedAtBlock))
    const { number } = await chain.head()
    if (hash === undefined)
      return { state: 'dead', reason: 'The refund is not on the chain.', block: Number(number) }
    const receipt = await chain.receipt(hash)
    return receipt === undefined
      ? { state: 'pending' }
      : { state: 'settled', hash, block: Number(receipt.blockNumber) }
  }

  return {
    async signRefund({ id, payee, micros, signedAtBlock }) {
      const signed = await chain.signRefund({
        refundId: id,
        to: hexOf(payee),
        amount: BigInt(micros),
        ...fromBlockOf(signedAtBlock),
      })
      return {
        raw: signed.raw,
        hash: signed.hash,
        signedAtBlock: Number(signed.signedAtBlock),
        validUntilMs: signed.validBeforeS * 1_000,
      }
    },
    async sendRefund({ raw }) {
      await chain.broadcast(hexOf(raw))
      return 'sent'
    },
    inspectRefund: async ({ id, signedAtBlock }, sent) =>
      (sent && (await inspectSent(sent))) ?? (await findByMemo(id, signedAtBlock)),
  }
}
