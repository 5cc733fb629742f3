// Reads MPP credentials. All values are untrusted.
import { type Challenge, Credential } from 'mppx'
import { membersOf } from '#core/input/members.ts'
import type { RefusalReason } from '../../chains/chain.ts'
import {
  deserialize,
  readTempoTransaction,
  type TempoTransaction,
} from '../../chains/tempo-transaction.ts'
import { blameless, PaymentRefusal } from '../rail.ts'

/** Throws a PaymentRefusal. */
export function readCredential(header: string): Credential.Credential {
  try {
    return Credential.deserialize(header)
  } catch (cause) {
    throw new PaymentRefusal('The Authorization header holds no readable payment.', { cause })
  }
}

/** What this gateway wrote into its challenge: the action, and a number that makes the challenge unique. */
export function readMeta({
  meta,
  opaque,
}: Challenge.Challenge): Record<string, string> | undefined {
  if (meta !== undefined || opaque === undefined) return meta
  try {
    return JSON.parse(Buffer.from(opaque, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** A transfer counts once by its transaction, a proof of identity by its challenge. */
export async function claimKeyOf(
  credential: Credential.Credential,
  chainId: number,
): Promise<string> {
  const { type, hash } = membersOf(credential.payload)
  if (type === 'proof') return `mpp:${chainId}:proof:${credential.challenge.id}`
  const name = type === 'hash' ? String(hash).toLowerCase() : (await transactionOf(credential)).hash
  return `mpp:${chainId}:${name}`
}

/** Throws a PaymentRefusal. */
export async function transactionOf({ payload }: Credential.Credential): Promise<TempoTransaction> {
  const transaction = await readTempoTransaction(String(membersOf(payload).signature))
  if (transaction === undefined)
    throw new PaymentRefusal('The payment holds no signed Tempo transaction.')
  return transaction
}

/** The calls of a transaction, and the key of the nonce that it uses. */
export function readCalls({ raw }: TempoTransaction) {
  return deserialize(raw)
}

const tooLittle = 'The wallet does not hold enough of the token for the payment and its fee.'
const refusals: Readonly<Record<string, string>> & { readonly refused: string } = {
  insufficient_balance: tooLittle,
  insufficient_gas: tooLittle,
  expired: 'The signed transaction has expired.',
  nonce_used: 'The signed transaction was used before.',
  refused: 'The chain would not carry out the transfer.',
}

export function refuse(reason: RefusalReason): PaymentRefusal {
  return new PaymentRefusal(refusals[reason] ?? refusals.refused, {
    blameless: blameless.has(reason),
  })
}
