// The error for a call whose hold was refused.
import { type CallError, fail } from '#core/errors.ts'
import { microsToUsd } from '#core/money.ts'
import type { Quote } from '#core/price.ts'
import type { HoldOutcome, HoldRefusal, KeyLimit } from '#money/ledger/operations.ts'

const refusalCodes = {
  insufficient: 'insufficient_balance',
  too_many_inflight: 'too_many_inflight',
  key_invalid: 'invalid_token',
  key_limit: 'spend_limit_reached',
  inference_cap: 'rate_limited',
  inference_busy: 'rate_limited',
  uncharged_cap: 'rate_limited',
  uncharged_busy: 'rate_limited',
  action_not_allowed: 'forbidden',
  free_calls_used: 'rate_limited',
  mismatch: 'idempotency_key_reused',
  in_progress: 'idempotency_in_progress',
  expired: 'unavailable',
} as const satisfies Record<HoldRefusal, string>

/** Their reasons are told, because they share one code. */
const dailyLimits: ReadonlySet<HoldRefusal> = new Set([
  'inference_cap',
  'inference_busy',
  'uncharged_cap',
  'uncharged_busy',
])

export function holdRefusal(
  held: HoldOutcome & { outcome: HoldRefusal },
  quote: Quote,
  isJob = false,
): CallError {
  if (isJob && held.outcome === 'insufficient') return fail('credits_required')
  return fail(refusalCodes[held.outcome], {
    retryAfterSeconds: secondsToWait(held.outcome),
    message: refusalMessage(held, quote),
    ...(dailyLimits.has(held.outcome) ? { data: { reason: held.outcome } } : {}),
    ...(held.keyLimit === undefined ? {} : { data: showKeyLimit(held.keyLimit) }),
  })
}

/** The fields that a key has in `/api/v1/keys`. */
const showKeyLimit = ({ period, most, used, resetsAt }: KeyLimit) => ({
  limit: `max_cents_per_${period}`,
  limit_usd: microsToUsd(most),
  used_usd: period === 'call' ? null : microsToUsd(used),
  resets_at: resetsAt?.toISOString() ?? null,
})

const secondsPerDay = 86_400

/** When the same call may succeed. The daily limit follows the UTC day. */
function secondsToWait(outcome: HoldRefusal): number | undefined {
  if (outcome === 'inference_cap' || outcome === 'uncharged_cap')
    return secondsPerDay - (Math.floor(Date.now() / 1_000) % secondsPerDay)
  const soon: readonly HoldRefusal[] = [
    'in_progress',
    'too_many_inflight',
    'inference_busy',
    'uncharged_busy',
    'free_calls_used',
  ]
  return soon.includes(outcome) ? 1 : undefined
}

function keyLimitMessage({ period, most, used, resetsAt }: KeyLimit, { micros }: Quote): string {
  const name = `This call may cost ${microsToUsd(micros)} dollars. max_cents_per_${period} of this API key is ${microsToUsd(most)} dollars`
  if (period === 'call') return `${name}. Raise the limit or use another key.`
  return `${name}, of which ${microsToUsd(used)} dollars are spent or held. The ${period} ends at ${resetsAt?.toISOString()}. Call again then, raise the limit or use another key.`
}

function refusalMessage(
  { outcome, available, ...held }: HoldOutcome,
  quote: Quote,
): string | undefined {
  if ('keyLimit' in held && held.keyLimit !== undefined)
    return keyLimitMessage(held.keyLimit, quote)
  if (outcome === 'insufficient') {
    return `This call costs ${microsToUsd(quote.micros)} dollars, and ${microsToUsd(available ?? 0)} dollars are available. Top up and call again.`
  }
  if (outcome === 'inference_cap')
    return `This call may cost ${microsToUsd(quote.micros)} dollars, more than is left of the account's daily limit for language models. Lower max_tokens (onesearch: name facets), or call again after midnight UTC.`
  if (outcome === 'inference_busy')
    return 'Running calls hold the rest of the account’s daily limit for language models. Wait for one to finish.'
  if (outcome === 'uncharged_cap')
    return 'Calls of yours that ended without a charge have cost this gateway as much today as they may; a key with limits may cause a quarter of that. Calls that ask no language model and no vendor still run. Call again after midnight UTC, and correct what failed: pages that cannot be read, fields that they do not state, chats that you leave.'
  if (outcome === 'uncharged_busy')
    return 'Calls of yours that end without a charge have cost this gateway nearly as much today as they may, or those under way could. So few of them run at once. Wait for one to finish.'
  if (outcome === 'action_not_allowed')
    return 'This API key may not call this action. Use another key.'
  if (outcome === 'free_calls_used')
    return 'Other calls have just taken the last free call of today. Ask again for the price.'
  return undefined
}
