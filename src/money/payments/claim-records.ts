// A claim as the database takes it.
import type { Micros } from '#core/money.ts'
import type { Verified } from '../rails/rail.ts'
import type { PaidCall } from './payments.ts'

/** As a record of `payment_offer`. */
export function offerRecord(
  payment: Verified,
  call: PaidCall,
  ours: { readonly id: string; readonly dust_micros: Micros },
) {
  return {
    ...ours,
    claim_key: payment.claimKey,
    rail: payment.rail,
    payer: payment.payer,
    challenge_id: payment.challengeId,
    credential: payment.credential,
    expires_at: new Date(payment.expiresAtMs),
    topup_account_id: call.topUpAccountId,
    settles_actual: payment.settlesActual === true,
  }
}

/** The hold of a wallet's call, as a record of `hold_request`. */
export function holdRecord(payment: Verified, call: PaidCall) {
  return {
    call: call.callId,
    account: call.accountId,
    action: call.action,
    inference: false,
    amount: payment.micros,
    idempotency: call.idempotencyKey,
    digest: `\\x${call.requestDigest.toString('hex')}`,
    lifetime_ms: call.lifetimeMs,
    job: call.jobInput !== undefined,
    input: call.jobInput,
    costless: call.costless,
  }
}
