// The hold of one call, in the form of the ledger.
import { type CatalogEntry, defaultTimeoutMs } from '#core/catalog.ts'
import type { Quote } from '#core/price.ts'
import type { Access } from '../execute/access.ts'
import { digestRequest } from '../idempotency.ts'
import type { CallRequest } from './call.ts'

/** A hold outlives the deadline of its call by this much, so that only a lost call reaches it. */
const holdMarginMs = 60_000

interface HoldCost {
  readonly inference: boolean
  readonly costless: boolean
}

/** What a call may cost the operator. */
export const costOfHold = (
  executor: Pick<Access, 'isInference' | 'isCostless'>,
  entry: CatalogEntry,
  input: unknown,
): HoldCost => ({
  inference: executor.isInference(entry, input),
  costless: executor.isCostless(entry, input),
})

export function toHold(
  { entry, body, caller, idempotencyKey }: CallRequest,
  callId: string,
  { quote, ...cost }: { readonly quote: Quote } & HoldCost,
) {
  return {
    callId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    action: entry.id,
    ...cost,
    micros: quote.micros,
    idempotencyKey,
    requestDigest: idempotencyKey === undefined ? undefined : digestRequest(body),
    lifetimeMs: (entry.action.timeoutMs ?? defaultTimeoutMs) + holdMarginMs,
  }
}
