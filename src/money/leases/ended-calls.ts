// A call that ended on a tab, as a line of the journal and of the books.
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import { type Hold, type Settlement, settleWaitMsMax } from './group-commit.ts'
import { withTimeline } from './rows.ts'
import type { Segment, TabJournal } from './tab-journal.ts'

/** A call under way on a tab. */
export interface OpenCall {
  readonly tab: { readonly id: string }
  readonly hold: Hold
  readonly startedAt: number
}

/** A call for the books. */
export interface Ended {
  readonly callId: string
  readonly charged: Micros
  readonly line: string
  readonly filed: Promise<Segment | undefined>
  /** Of a call with an idempotency key: tells its caller that the books have it, or why they may not. */
  readonly tell?: (error?: Error) => void
}

/**
 * Puts a call that ended where the end of this process cannot undo it. A call with an idempotency key is answered once the
 * books have it, so that every gateway knows the answer when its caller does; any other is answered once it is on file.
 */
export function endCall(
  journal: TabJournal,
  gatewayNumber: number,
  call: OpenCall,
  settlement: Settlement,
): { readonly ended: Ended; readonly safe: Promise<unknown> } {
  const { callId, charged } = settlement
  const line = lineOf(gatewayNumber, call, settlement)
  if (call.hold.idempotencyKey === undefined) {
    const filed = journal.append(line)
    return { ended: { callId, charged, line, filed }, safe: filed }
  }
  const { promise: safe, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(fail('payment_pending')), settleWaitMsMax).unref()
  const tell = (error?: Error) => {
    clearTimeout(timer)
    if (error === undefined) resolve()
    else reject(error)
  }
  return { ended: { callId, charged, line, filed: Promise.resolve(undefined), tell }, safe }
}

function lineOf(
  gatewayNumber: number,
  { tab, hold, startedAt }: OpenCall,
  { state, charged, cost, error, message, output, timeline }: Settlement,
): string {
  const call = {
    lease: tab.id,
    gateway: gatewayNumber,
    id: hold.callId,
    account: hold.accountId,
    key: hold.keyId,
    action: hold.action,
    state,
    held: hold.micros,
    charged,
    cost,
    error,
    message: message?.toWellFormed(),
    started_ms: startedAt,
    ...(hold.idempotencyKey === undefined ? {} : { claimed: true, output }),
  }
  return withTimeline(call, timeline)
}
