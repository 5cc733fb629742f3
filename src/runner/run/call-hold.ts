// The hold of one call, in the form of the ledger.
import { leavesNothing } from '#core/calls/lasting.ts'
import { type CatalogEntry, defaultTimeoutMs } from '#core/catalog.ts'
import type { Quote } from '#core/price.ts'
import type { CallCost } from '../execute/access.ts'
import { digestRequest } from '../idempotency.ts'
import type { CallRequest } from './call.ts'

/** A hold outlives the deadline of its call by this much, so that only a lost call reaches it. */
const holdMarginMs = 60_000

export function toHold(
  { entry, body, caller, idempotencyKey }: CallRequest,
  callId: string,
  {
    quote,
    freePerDay,
    ...cost
  }: { readonly quote: Quote; readonly freePerDay?: number | undefined } & CallCost,
) {
  return {
    callId,
    accountId: caller.accountId,
    keyId: caller.keyId,
    action: entry.id,
    ...cost,
    micros: quote.micros,
    freePerDay,
    idempotencyKey,
    requestDigest: idempotencyKey === undefined ? undefined : digestRequest(body),
    lifetimeMs: (entry.action.timeoutMs ?? defaultTimeoutMs) + holdMarginMs,
    mayUseLease:
      idempotencyKey === undefined &&
      quote.micros > 0 &&
      freePerDay === undefined &&
      (!caller.isLimited || caller.limits !== undefined) &&
      needsNoRow(entry),
    waitsForBooks: true,
    limits: caller.limits,
  }
}

/** Whether nothing refers to the row of the call while it runs: what it makes, pays, or runs inside. */
const needsNoRow = ({ action, service }: CatalogEntry): boolean =>
  leavesNothing(action) &&
  action.needs === undefined &&
  action.orders === undefined &&
  action.spendsUpToCents === undefined &&
  service.buys === undefined &&
  service.provider.runsOthers !== true
