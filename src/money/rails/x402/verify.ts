// Whether a payment is what was asked for, cheapest questions first. It is not claimed, simulated or settled here.
import type { Hex } from '../../chains/chain.ts'
import { lowerCase } from '../../chains/chain.ts'
import type { SignedAuthorization } from '../../chains/dollar.ts'
import type { PaymentRequirements, X402Payment, X402Problem, X402ProblemCode } from './payment.ts'
import { authorizationDigest, readKeySignature, recoverAddress } from './signature.ts'

/** What a settlement needs at least, from its signing to its block. */
const settlementMarginS = 6
/** How far a payer's clock may be ahead of ours. */
const clockSkewMaxS = 60
const keySignatureCharacters = 2 + 2 * 65

export interface X402Terms {
  /** What we would ask for this very call now. The payment must be for one of them. */
  readonly requirements: readonly PaymentRequirements[]
  readonly nowS: number
  /** How long the payment must stay good beside the margin: what the work takes, when it is settled after it. */
  readonly runtimeS?: number
}

export type PaymentCheck =
  | {
      readonly ok: true
      readonly requirements: PaymentRequirements
      /** In the one form that the token takes. */
      readonly signed: SignedAuthorization
      readonly payer: Hex
      /** The address of a contract is another owner's on another chain; that of a key is not. */
      readonly payerKind: 'key' | 'contract'
    }
  | { readonly ok: false; readonly problem: X402Problem }

const problem = (code: X402ProblemCode, message: string) => ({ code, message })

/** The requirements that the payer accepted, if they are ours to the letter. `extra` may hold more than we wrote. */
function matchRequirements(
  { accepted }: Pick<X402Payment, 'accepted'>,
  requirements: readonly PaymentRequirements[],
): PaymentRequirements | undefined {
  const extra = (accepted.extra ?? {}) as Record<string, unknown>
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

/** Everything that can be told without a signature: that it pays us, the exact amount, in time. */
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
 * Verifies a payment up to its signature. A signature that no key of the payer's made is put to `isValidSignature`, which
 * asks the contract at the payer's address once; what cannot be anybody's is refused before that.
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
        'The payment was made for other terms than this call has now. Pay the challenge of this response.',
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
      `The signature is not ${from}'s over this authorization, on this network and for this token. Sign it anew.`,
    ),
  }
}
