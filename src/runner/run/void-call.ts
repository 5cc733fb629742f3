import type { CallError } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Purchases } from '../execute/purchases.ts'
import { failedCostOf, isInDoubt, type Trail, timelineOf } from '../execute/trail.ts'

/** Ends a failed call. Resolves to the error for its caller. */
export type VoidCall = (error: CallError, callId: string, trail: Trail) => Promise<CallError>

export function createVoidCall({
  ledger,
  purchases,
  log,
}: {
  ledger: Ledger
  purchases: Purchases
  log: Log
}): VoidCall {
  return async (error, callId, trail) => {
    // Something may have been bought: the hold stays until the operator decides.
    if (isInDoubt(trail)) return await purchases.doubt(trail, error)
    if (error.cause !== undefined)
      log.warn({ err: error.cause, callId, code: error.code }, 'A call failed.')
    await ledger.settle({
      callId,
      accountId: trail.caller.accountId,
      state: 'voided',
      charged: 0,
      cost: failedCostOf(trail),
      error: error.code,
      message: error.message,
      timeline: timelineOf(trail),
    })
    return error
  }
}
