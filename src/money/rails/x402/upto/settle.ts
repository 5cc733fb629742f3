// Takes what a call has cost by its payer's permit. Only the gas wallet can carry a permit out, so the outcome is that
// of its own transaction, unless the payer has cancelled the permit.
import { ChainRefusal, ChainUnavailable, hexOf } from '../../../chains/chain.ts'
import type { EvmChain } from '../../../chains/evm.ts'
import type { SignedPermit } from '../../../chains/permits.ts'
import type { ChainVerdict, PreparedTransaction, SettlingPayment } from '../../rail.ts'
import { headLagMsMax, refuse } from '../authorization.ts'
import { gasTroubles, type Settler } from '../settle.ts'
import { readKeySignature } from '../signature.ts'
import { readUpto } from './permit.ts'

/** The permit, with its signature in the one form that Permit2 accepts. */
export function readPermit(credential: string): SignedPermit {
  const { permit, signature } = readUpto(credential).signed
  return { permit, signature: readKeySignature(signature)?.normal ?? signature }
}

export function settlePermits(chain: EvmChain): Omit<Settler, 'discard'> {
  return {
    prepare: (credential, micros) => prepare(chain, credential, micros),
    async send({ credential, raw, hash, isNew }) {
      const receipt = isNew ? undefined : await chain.receipt(hexOf(hash))
      // `inspect` says what a transaction that failed means.
      if (receipt !== undefined) return 'sent'
      const sent = await chain.broadcast(hexOf(raw))
      if (sent.outcome !== 'refused' || sent.reason !== 'nonce_too_low') return 'sent'
      // If the permit is used, this very transaction took the number. If not, another one did.
      return (await chain.isPermitUsed(readPermit(credential).permit)) ? 'sent' : 'lost'
    },
    inspect: (payment) => inspect(chain, payment),
  }
}

async function prepare(
  chain: EvmChain,
  credential: string,
  micros: number,
): Promise<PreparedTransaction> {
  try {
    const signed = await chain.signPermitSettlement(readPermit(credential), BigInt(micros))
    return { ...signed, signedAtBlock: Number(signed.signedAtBlock) }
  } catch (error) {
    if (!(error instanceof ChainRefusal)) throw error
    if (gasTroubles.has(error.reason)) throw new ChainUnavailable(error.message)
    throw refuse(error.reason)
  }
}

async function inspect(
  chain: EvmChain,
  { credential, hash, micros, expiresAtMs }: SettlingPayment,
): Promise<ChainVerdict> {
  const { permit } = readPermit(credential)
  const receipt = await chain.receipt(hexOf(hash))
  const block = Number(receipt?.blockNumber ?? 0)
  const moved = receipt?.transfers.some(
    ({ token, from, to, amount }) =>
      token === chain.asset &&
      from === permit.from &&
      to === permit.to &&
      amount === BigInt(micros),
  )
  if (receipt?.status === 'success' && moved) return { state: 'settled', hash, block }
  const head = await chain.head()
  const isUsed = await chain.isPermitUsed(permit, { atBlock: head.number })
  // The transaction failed, and no other can succeed.
  if (receipt?.status === 'reverted' && isUsed)
    return { state: 'dead', reason: 'The payer has cancelled the permit.', byPayer: true, block }
  if (head.timestampS * 1_000 <= expiresAtMs + headLagMsMax || isUsed) return { state: 'pending' }
  return { state: 'dead', reason: 'The permit has expired.', block: Number(head.number) }
}
