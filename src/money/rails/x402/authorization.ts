// What became of an EIP-3009 authorization, by the token's own log. Anyone may carry out an authorization that they
// have seen, and its payer may cancel it, so the gateway's own transaction is not the only place to look.
import { LRUCache } from 'lru-cache'
import { ChainUnavailable, type Hex, type RefusalReason } from '../../chains/chain.ts'
import { carriesOut, type SignedAuthorization } from '../../chains/dollar.ts'
import type { EvmChain } from '../../chains/evm.ts'
import { blameless, type ChainVerdict, PaymentRefusal, type SettlingPayment } from '../rail.ts'
import { parsePaymentSignature, type X402Payment } from './payment.ts'
import { readKeySignature } from './signature.ts'

/** Nodes behind one address may know different newest blocks. */
export const headLagMsMax = 30_000
/**
 * The gateway's own description of a sale, which it adds for a facilitator, may be longer than what payers may send.
 */
const sealedCharactersMax = 256 * 1024

/** Each step of a payment reads it, and it is the same text in all of them. */
const readLately = new LRUCache<string, X402Payment>({
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: (_, header) => header.length,
})

/** Throws a PaymentRefusal. */
export function readPayment(header: string, charactersMax = sealedCharactersMax): X402Payment {
  const known = header.length <= charactersMax ? readLately.get(header) : undefined
  if (known !== undefined) return known
  const parsed = parsePaymentSignature(header, charactersMax)
  if (!parsed.ok) throw new PaymentRefusal(parsed.problem.message)
  readLately.set(header, parsed.payment)
  return parsed.payment
}

/** The authorization, with its signature in the one form that tokens accept. */
export function readAuthorization(header: string): SignedAuthorization {
  const { signed } = readPayment(header)
  return { ...signed, signature: readKeySignature(signed.signature)?.normal ?? signed.signature }
}

/** Searches the token's log from the block at which the payment was signed. */
export async function traceAuthorization(
  chain: EvmChain,
  { authorization }: SignedAuthorization,
  signedAtBlock: number | null = null,
): Promise<ChainVerdict> {
  const { from, nonce } = authorization
  const fromBlock = signedAtBlock === null ? {} : { fromBlock: BigInt(signedAtBlock) }
  const used = await chain.findAuthorizationUsed(from, nonce, fromBlock)
  const trace = used ?? (await chain.findAuthorizationCancelled(from, nonce, fromBlock))
  const receipt = trace === undefined ? undefined : await chain.receipt(trace)
  if (receipt === undefined) return { state: 'pending' }
  const block = Number(receipt.blockNumber)
  if (used !== undefined && carriesOut(receipt, chain.asset, authorization))
    return { state: 'settled', hash: used, block }
  const reason =
    used === undefined
      ? 'The payer has cancelled the authorization.'
      : 'The payer has used the authorization’s nonce for another.'
  return { state: 'dead', reason, byPayer: true, block }
}

/** The verdict on a payment that the gateway's own transaction does not show. */
export async function inspectAuthorization(
  chain: EvmChain,
  { credential, expiresAtMs, signedAtBlock }: SettlingPayment,
): Promise<ChainVerdict> {
  const signed = readAuthorization(credential)
  const { from, nonce } = signed.authorization
  if (await chain.authorizationState(from, nonce))
    return await traceAuthorization(chain, signed, signedAtBlock)
  const { timestampS, number } = await chain.head()
  if (timestampS * 1_000 <= expiresAtMs + headLagMsMax) return { state: 'pending' }
  // It may have been carried out between the two questions, or another node may know it.
  return (await chain.authorizationState(from, nonce, { atBlock: number }))
    ? { state: 'pending' }
    : { state: 'dead', reason: 'The authorization has expired.', block: Number(number) }
}

/** Sends a transaction that carries out an authorization. `lost`: its number in the gas wallet's lane is taken. */
export async function broadcastAuthorization(
  chain: EvmChain,
  { raw, from, nonce }: { raw: Hex; from: Hex; nonce: Hex },
): Promise<'sent' | 'lost'> {
  const sent = await chain.broadcast(raw)
  if (sent.outcome !== 'refused' || sent.reason !== 'nonce_too_low') return 'sent'
  // If the authorization is used, this very transaction took the number. If not, another one did.
  return (await chain.authorizationState(from, nonce)) ? 'sent' : 'lost'
}

const refusals: Readonly<Record<string, string>> & { readonly refused: string } = {
  insufficient_balance: 'The wallet does not hold enough of the token.',
  expired: 'The authorization has expired.',
  nonce_used: 'The authorization was used or cancelled before.',
  blocked: 'The token’s issuer has blocked the wallet.',
  refused: 'The chain would not carry out the transfer.',
}

export function refuse(reason: RefusalReason): PaymentRefusal {
  return new PaymentRefusal(refusals[reason] ?? refusals.refused, {
    blameless: blameless.has(reason),
  })
}

/** Throws what a verdict means for a payment that was about to be sent; returns the hash of one that is settled. */
export function settledHash(verdict: ChainVerdict): string {
  if (verdict.state === 'settled') return verdict.hash
  if (verdict.state === 'dead') throw new PaymentRefusal(verdict.reason)
  throw new ChainUnavailable('It is not known yet what became of the authorization.')
}
