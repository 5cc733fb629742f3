// Checks whether a permit matches the terms of its call, cheapest checks first.
import { lowerCase } from '../../../chains/chain.ts'
import { uptoProxy } from '../../../chains/permits.ts'
import { PaymentRefusal } from '../../rail.ts'
import type { PaymentRequirements } from '../payment.ts'
import { readKeySignature, recoverAddress } from '../signature.ts'
import { clockSkewMaxS, matchRequirements, settlementMarginS } from '../verify.ts'
import { digestOf, type UptoPayment } from './permit.ts'

/** Throws a PaymentRefusal that says what to do next. */
export function verifyPermit(
  { accepted, signed, spender }: UptoPayment,
  requirements: PaymentRequirements,
  { nowS, chainId }: { readonly nowS: number; readonly chainId: number },
): void {
  if (matchRequirements({ accepted }, [requirements]) === undefined)
    throw new PaymentRefusal(
      'The payment was signed for terms that differ from those of this call. Pay the challenge of this response.',
    )
  const wrong = problemOf({ signed, spender }, requirements, nowS)
  if (wrong !== undefined) throw new PaymentRefusal(wrong)
  const { permit, signature } = signed
  const byKey = readKeySignature(signature)
  const digest = Buffer.from(digestOf(chainId, permit).slice(2), 'hex')
  if (byKey === undefined || recoverAddress(byKey, digest) !== permit.from)
    throw new PaymentRefusal(
      `The signature is not by ${permit.from} for this permit, network and token. Sign the permit again.`,
    )
}

function problemOf(
  { signed: { permit }, spender }: Pick<UptoPayment, 'signed' | 'spender'>,
  { asset, payTo, amount, maxTimeoutSeconds, extra }: PaymentRequirements,
  nowS: number,
): string | undefined {
  const facilitator = extra.facilitatorAddress ?? ''
  if (spender !== uptoProxy) return `The permit must name the spender ${uptoProxy}.`
  if (permit.token !== lowerCase(asset)) return `The permit must be for the token ${asset}.`
  if (permit.to !== lowerCase(payTo)) return `The permit must pay ${payTo}.`
  if (permit.facilitator !== lowerCase(facilitator))
    return `The permit must name the facilitator ${facilitator}.`
  if (permit.amount !== BigInt(amount))
    return `The permit must be for ${amount} base units, not more and not less. Less may be taken.`
  if (permit.validAfter > BigInt(nowS))
    return 'The permit is not valid yet. Sign one whose validAfter is in the past.'
  if (permit.deadline < BigInt(nowS + settlementMarginS))
    return `The permit ends too soon. Sign one that is valid for ${maxTimeoutSeconds} seconds.`
  if (permit.deadline > BigInt(nowS + maxTimeoutSeconds + clockSkewMaxS))
    return `The permit stays valid for too long. Sign one that is valid for ${maxTimeoutSeconds} seconds.`
  return undefined
}
