// Checks whether a payment matches the terms of its call, cheapest checks first. It claims, simulates and settles
// nothing.

import { membersOf } from '#core/input/members.ts'
import type { Hex } from '../../chains/chain.ts'
import { lowerCase } from '../../chains/chain.ts'
import type { SignedAuthorization } from '../../chains/dollar.ts'
import type { PaymentRequirements, X402Payment, X402Problem, X402ProblemCode } from './payment.ts'
import { authorizationDigest, readKeySignature, recoverAddress } from './signature.ts'

/** The least time from the signature of a settlement to its block. */
export const settlementMarginS = 6
/** The most by which a payer's clock may be ahead of this one. */
export const clockSkewMaxS = 60
const keySignatureCharacters = 2 + 2 * 65

export interface X402Terms {
  /** The terms that a challenge for this call has now. The payment must match one of them. */
  readonly requirements: readonly PaymentRequirements[]
  readonly nowS: number
  /** How long the payment must stay valid beyond the margin: the duration of the work, if it is settled afterwards. */
  readonly runtimeS?: number
}

export type PaymentCheck =
  | {
      readonly ok: true
      readonly requirements: PaymentRequirements
      /** In the canonical form that the token accepts. */
      readonly signed: SignedAuthorization
      readonly payer: Hex
      /** A contract's address can have another owner on another chain. A key's address cannot. */
      readonly payerKind: 'key' | 'contract'
    }
  | { readonly ok: false; readonly problem: X402Problem }

const problem = (code: X402ProblemCode, message: string) => ({ code, message })

/** The requirements that the payer accepted, if they equal ours. `extra` may have further fields. */
export function matchRequirements(
  { accepted }: Pick<X402Payment, 'accepted'>,
  requirements: readonly PaymentRequirements[],
): PaymentRequirements | undefined {
  const extra = membersOf(accepted.extra)
  return requirements.find(
    (ours) =>
      accepted.scheme === ours.scheme &&
      accepted.network === ours.network &&
      accepted.amount === ours.amount &&
      accepted.maxTimeoutSeconds === ours.maxTimeoutSeconds &&
      sameAddress(accepted.asset, ours.asset) &&
      sameAddress(accepted.payTo, ours.payTo) &&
      Object.entries(ours.extra).every(([name, value]) => extra[name] === value),
  )
}

const sameAddress = (theirs: unknown, ours: Hex) =>
  typeof theirs === 'string' && lowerCase(theirs) === lowerCase(ours)

/** Checks the terms that need no signature: the recipient, the exact amount and the validity. */
function checkTerms(
  signed: SignedAuthorization,
  requirements: PaymentRequirements,
  { nowS, runtimeS = 0 }: Pick<X402Terms, 'nowS' | 'runtimeS'>,
): X402Problem | undefined {
  const { to, value, validAfter, validBefore } = signed.authorization
  if (to !== lowerCase(requirements.payTo)) {
    return problem(
      'invalid_exact_evm_recipient_mismatch',
      `The authorization must pay ${requirements.payTo}.`,
    )
  }
  if (value !== BigInt(requirements.amount)) {
    return problem(
      'invalid_exact_evm_payload_authorization_value_mismatch',
      `The authorization must be for ${requirements.amount} base units, not more and not less.`,
    )
  }
  if (validAfter > BigInt(nowS)) {
    return problem(
      'invalid_exact_evm_payload_authorization_valid_after',
      'The authorization is not valid yet. Sign one whose validAfter is in the past.',
    )
  }
  const earliest = nowS + settlementMarginS + runtimeS
  if (validBefore < BigInt(earliest)) {
    return problem(
      'invalid_exact_evm_payload_authorization_valid_before',
      `The authorization ends too soon. Sign one that is valid for ${requirements.maxTimeoutSeconds} seconds.`,
    )
  }
  if (validBefore > BigInt(nowS + requirements.maxTimeoutSeconds + clockSkewMaxS)) {
    return problem(
      'invalid_exact_evm_payload_authorization_valid_before',
      `The authorization stays valid for too long. Sign one that is valid for ${requirements.maxTimeoutSeconds} seconds.`,
    )
  }
  return undefined
}

/**
 * Verifies a payment, including its signature. If the payer's key did not make the signature, `isValidSignature` asks
 * the contract at the payer's address once. A signature that neither a key nor a contract could have made is refused
 * first.
 */
export async function verifyPayment(
  payment: X402Payment,
  demand: X402Terms & {
    isValidSignature?: (from: Hex, digest: Hex, signature: Hex) => Promise<boolean>
  },
): Promise<PaymentCheck> {
  const requirements = matchRequirements(payment, demand.requirements)
  if (requirements === undefined) {
    return {
      ok: false,
      problem: problem(
        'invalid_payment_requirements',
        'The payment was signed for terms that differ from those of this call. Pay the challenge of this response.',
      ),
    }
  }
  const { signed } = payment
  const wrong = checkTerms(signed, requirements, demand)
  if (wrong !== undefined) return { ok: false, problem: wrong }

  const { from } = signed.authorization
  const digest = authorizationDigest(
    {
      ...requirements.extra,
      chainId: Number(requirements.network.slice('eip155:'.length)),
      asset: requirements.asset,
    },
    signed.authorization,
  )
  const byKey = readKeySignature(signed.signature)
  if (byKey !== undefined && recoverAddress(byKey, digest) === from) {
    return {
      ok: true,
      requirements,
      signed: { ...signed, signature: byKey.normal },
      payer: from,
      payerKind: 'key',
    }
  }
  const malformed = byKey === undefined && signed.signature.length <= keySignatureCharacters
  const agreed =
    !malformed &&
    (await demand.isValidSignature?.(from, `0x${digest.toString('hex')}`, signed.signature))
  if (agreed === true) {
    return { ok: true, requirements, signed, payer: from, payerKind: 'contract' }
  }
  return {
    ok: false,
    problem: problem(
      'invalid_exact_evm_signature',
      `The signature is not by ${from} for this authorization, network and token. Sign the authorization again.`,
    ),
  }
}
