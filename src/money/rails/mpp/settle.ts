// Sends the payer's signed transaction. The chain then decides whether it has paid.
import { type Hex, hexOf } from '../../chains/chain.ts'
import type { TempoChain } from '../../chains/tempo.ts'
import type { ChainVerdict, Rail } from '../rail.ts'
import { readCredential, refuse, transactionOf } from './credential.ts'

/** Nodes behind one address may know different newest blocks. */
export const headLagMsMax = 5_000

export function createSettler(
  chain: TempoChain,
  recipient: Hex,
): Pick<Rail, 'prepare' | 'send' | 'inspect'> {
  return {
    async prepare(credential) {
      const { raw, hash } = await transactionOf(readCredential(credential))
      return { raw, hash, signedAtBlock: Number((await chain.head()).number) }
    },
    async send({ raw, hash, isNew }) {
      if (!isNew && (await chain.isMined(hexOf(hash)))) return 'sent'
      const sent = await chain.broadcast(hexOf(raw))
      if (sent.outcome === 'refused' && sent.reason !== 'nonce_used') throw refuse(sent.reason)
      return 'sent'
    },
    async inspect({ hash, expiresAtMs, credential }) {
      const receipt = await chain.receipt(hexOf(hash))
      if (receipt !== undefined) {
        const { amount } = readCredential(credential).challenge.request as { amount: string }
        return judgeReceipt(receipt, { hash, token: chain.currency, recipient, amount })
      }
      const { timestampS, number } = await chain.head()
      if (timestampS * 1_000 <= expiresAtMs + headLagMsMax) return { state: 'pending' }
      // It may have been mined between the two questions, or not be deep enough yet.
      return (await chain.isMined(hexOf(hash)))
        ? { state: 'pending' }
        : { state: 'dead', reason: 'The transaction has expired.', block: Number(number) }
    },
  }
}

/** Whether a mined transaction has moved what the challenge asked for. */
function judgeReceipt(
  receipt: NonNullable<Awaited<ReturnType<TempoChain['receipt']>>>,
  asked: { hash: string; token: string; recipient: string; amount: string },
): ChainVerdict {
  const block = Number(receipt.blockNumber)
  if (receipt.status === 'reverted')
    return { state: 'dead', reason: 'The transfer was reverted.', byPayer: true, block }
  const paid = receipt.transfers.some(
    ({ token, to, amount }) =>
      token === asked.token.toLowerCase() &&
      to === asked.recipient.toLowerCase() &&
      String(amount) === asked.amount,
  )
  return paid
    ? { state: 'settled', hash: asked.hash, block }
    : { state: 'dead', reason: 'The transaction moved something else.', block }
}
