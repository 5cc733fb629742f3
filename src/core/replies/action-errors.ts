// The errors that callers of an action must expect.
import type { Action } from '../action.ts'
import type { ErrorCode } from '../errors.ts'
import { needsCeiling } from '../price.ts'

const ofEveryCall: readonly ErrorCode[] = [
  'bad_request',
  'invalid_token',
  'rate_limited',
  'upstream_error',
]

/** The codes of its refusals and failures, each once. Calls with an Idempotency-Key have more. */
export function errorsOf(action: Action): readonly ErrorCode[] {
  const { owned, paidTopUpRequired, page, errors = [] } = action
  return [
    ...new Set<ErrorCode>([
      ...ofEveryCall,
      ...errors,
      ...(owned === undefined ? [] : (['not_found'] as const)),
      ...(paidTopUpRequired ? (['paid_topup_required'] as const) : []),
      ...(page === undefined ? [] : (['all_blocked'] as const)),
      ...(action.price === 'free' ? [] : paymentErrorsOf(action)),
    ]),
  ]
}

function paymentErrorsOf({ mode, price, answersInline, irrevocable }: Action): ErrorCode[] {
  const isAlwaysJob = mode === 'job' && answersInline === undefined
  return [
    'payment_required',
    ...(isAlwaysJob ? [] : (['insufficient_balance'] as const)),
    ...(mode === 'job' ? (['credits_required'] as const) : []),
    ...(needsCeiling(price) ? (['max_cost_required'] as const) : []),
    'max_cost_exceeded',
    'too_many_inflight',
    ...(irrevocable ? (['outcome_unknown'] as const) : []),
  ]
}
