// Calls that ended on a lease and are not in the books yet.
import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import {
  type Hold,
  type Settlement,
  type SettleOutcome,
  settleWaitMsMax,
} from '../ledger/operations.ts'
import { bytea, outcomeFields, withTimeline } from '../ledger/records.ts'
import type { LeaseJournal, Segment } from './journal.ts'

/** A call under way on a lease. */
export interface OpenCall {
  readonly leaseId: string
  readonly hold: Hold
  readonly startedAtMs: number
}

export interface EndedCall {
  readonly callId: string
  readonly accountId: string
  readonly charged: Micros
  /** As a record of `lease_call`. */
  readonly record: string
  /** Its place on file, if it has one. */
  readonly filed: Promise<Segment | undefined>
  /** Tells the caller of a call that waits that the disk of the books has it, or why it may not. */
  readonly tell?: (told: Told) => void
}

/** What the account can spend after the call, where the books say it; or why they may not have the call. */
type Told = { readonly available?: Micros } | { readonly error: Error }

export interface EndedCalls {
  /**
   * Takes a call that ended. `safe` resolves when a killed process cannot undo it: a call that waits for the books, or
   * has an idempotency key, is on their disk by then, so that every gateway knows its answer; any other is on file. Of
   * a call on their disk it resolves to what the account can spend, where they say it.
   */
  end(
    call: OpenCall,
    settlement: Settlement,
  ): { ended: EndedCall; safe: Promise<Micros | undefined> }
  /**
   * The end of a call that waits, until the books have it: each call ends once, with its first settlement.
   */
  outcomeOf(callId: string): Promise<SettleOutcome> | undefined
  expect(callId: string, outcome: Promise<SettleOutcome>): void
  /** The books have them, and perhaps not their disk: a crash of the database may forget them. */
  committed(ended: readonly EndedCall[]): void
  /** Those that the database may forget. */
  committedOnly(): readonly EndedCall[]
  /** Whether the oldest of them has waited long enough for the disk. */
  isFlushDue(): boolean
  /** The disk of the books has all that were committed. */
  flushed(): void
  /**
   * The disk of the books has these. `available`: what the account of these calls can spend after all of them.
   */
  written(ended: readonly EndedCall[], available?: Micros): void
  /** The books have ended them otherwise: their gateway was taken for dead meanwhile. */
  gone(ended: readonly EndedCall[]): void
  /** The gateway stops and the books do not have them: what is on file is for its successor. */
  left(ended: readonly EndedCall[], cause: unknown): void
  /** The database refuses them for good. */
  lost(ended: readonly EndedCall[], cause: unknown): void
  /** The books lag so far behind that no further call may run on a lease. */
  isFull(): boolean
}

const unwrittenMax = 10_000
/** How long the disk of the books may lag behind. A batch that waits for it writes everything before. */
const flushAfterMs = 500

export function createEndedCalls({
  journal,
  gatewayNumber,
  clock,
  log,
}: {
  journal: LeaseJournal
  gatewayNumber: number
  clock: Clock
  log: Log
}): EndedCalls {
  const outcomes = new Map<string, Promise<SettleOutcome>>()
  let unwritten = 0
  let committed: EndedCall[] = []
  let committedSinceMs = 0

  function tell({ callId, tell }: EndedCall, told: Told) {
    outcomes.delete(callId)
    tell?.(told)
  }

  function written(ended: readonly EndedCall[], toldOf: (call: EndedCall) => Told) {
    unwritten -= ended.length
    for (const each of ended) {
      void each.filed.then((segment) => segment !== undefined && journal.written(segment))
      tell(each, toldOf(each))
    }
  }

  return {
    end(call, settlement) {
      unwritten += 1
      const { callId, charged } = settlement
      const { accountId } = call.hold
      const record = recordOf(gatewayNumber, call, settlement)
      if (!waits(call.hold)) {
        const filed = journal.append(record)
        const ended = { callId, accountId, charged, record, filed }
        return { ended, safe: filed.then(() => undefined) }
      }
      const { told, tell } = waitForBooks()
      const filed = Promise.resolve(undefined)
      return { ended: { callId, accountId, charged, record, filed, tell }, safe: told }
    },
    outcomeOf: (callId) => outcomes.get(callId),
    expect: (callId, outcome) => void outcomes.set(callId, outcome),
    committed(ended) {
      if (committed.length === 0) committedSinceMs = clock.now()
      committed.push(...ended)
    },
    committedOnly: () => committed,
    isFlushDue: () => committed.length > 0 && clock.now() - committedSinceMs >= flushAfterMs,
    flushed() {
      written(committed, () => ({}))
      committed = []
    },
    written(ended, available) {
      if (available === undefined) return written(ended, () => ({}))
      // Each is told what it left, before those that ended after it.
      let left = available + ended.reduce((sum, { charged }) => sum + charged, 0)
      written(ended, ({ charged }) => {
        left -= charged
        return { available: left }
      })
    },
    gone(ended) {
      if (ended.length === 0) return
      const error = fail('upstream_error')
      written(ended, () => ({ error }))
    },
    left(ended, cause) {
      for (const each of ended) tell(each, { error: fail('unavailable', { cause }) })
    },
    lost(ended, cause) {
      for (const each of ended) {
        const { callId, charged } = each
        const message = 'An ended call could not be written; it is not charged.'
        log.error({ err: cause, callId, charged }, message)
        tell(each, { error: fail('upstream_error', { cause }) })
      }
      written(ended, () => ({}))
    },
    isFull: () => unwritten >= unwrittenMax,
  }
}

const waits = ({ idempotencyKey, waitsForBooks }: Hold) =>
  idempotencyKey !== undefined || waitsForBooks === true

function waitForBooks() {
  const { promise: told, resolve, reject } = Promise.withResolvers<Micros | undefined>()
  const timer = setTimeout(() => reject(fail('payment_pending')), settleWaitMsMax).unref()
  const tell = (of: Told) => {
    clearTimeout(timer)
    if ('error' in of) reject(of.error)
    else resolve(of.available)
  }
  return { told, tell }
}

/** As a record of `lease_call`. */
function recordOf(
  gatewayNumber: number,
  { leaseId, hold, startedAtMs }: OpenCall,
  settlement: Settlement,
): string {
  const { output, ...outcome } = outcomeFields(settlement)
  const call = {
    lease: leaseId,
    gateway: gatewayNumber,
    id: hold.callId,
    account: hold.accountId,
    key: hold.keyId,
    action: hold.action,
    inference: hold.inference === true,
    held: hold.micros,
    ...outcome,
    started_ms: startedAtMs,
    ...(hold.idempotencyKey !== undefined && claimOf(hold)),
    // The answer of any other call is not asked for again.
    ...(waits(hold) && { output }),
  }
  return withTimeline(call, settlement.timeline)
}

const claimOf = ({ idempotencyKey, requestDigest }: Hold) => ({
  claimed: true,
  idempotency: idempotencyKey,
  digest: requestDigest && bytea(requestDigest),
})
