// Spend leases. A second call of an action within a second opens a lease: an amount, held in the database once, out of
// which this gateway reserves the worst case of each call in memory. Ended calls go to the books in batches, and an
// idle lease closes after a second. A call that does not fit is held by itself.
import { isUuid } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Ledger, LedgerDependencies } from '../ledger/ledger.ts'
import type { Hold, HoldOutcome, Settlement, SettleOutcome } from '../ledger/operations.ts'
import { createEndedCalls } from './ended-calls.ts'
import { type LeaseJournal, listLeaseJournals, openLeaseJournal } from './journal.ts'
import { abandon, recall } from './lease.ts'
import { createLeaseBook, createRecent, type Entry, type LeaseBook } from './lease-book.ts'
import { type LeaseCommits, openLeaseCommits } from './lease-commits.ts'
import { createLeaseWriter } from './lease-writer.ts'

const sweepIntervalMs = 250
const recoveryIntervalMs = 15_000
const catchUpWaitMsMax = 1_000
/** Refusals that can be due to what the account's own leases hold. */
const scarcities: ReadonlySet<HoldOutcome['outcome']> = new Set([
  'insufficient',
  'inference_busy',
  'uncharged_busy',
  'key_limit',
  'too_many_inflight',
])

/** The same ledger, with calls that may use a lease on leases. */
export async function addLeases(
  ledger: Ledger,
  dependencies: LedgerDependencies & {
    /** Where ended calls are on file until the books have them. */
    readonly journalDirectory: string
  },
): Promise<Ledger> {
  const { database, log, journalDirectory } = dependencies
  const { gatewayNumber } = ledger
  const journal = openLeaseJournal({ directory: journalDirectory, gatewayNumber, log })
  const onBreak = () => leases.reconcile()
  const commits = await openLeaseCommits({ ...dependencies, gatewayNumber, onBreak })
  const leases = createLeases({ ...dependencies, commits, gatewayNumber, journal })

  async function recallSpare(accountId: string) {
    await Promise.race([leases.recall(accountId), dependencies.clock.sleep(catchUpWaitMsMax)])
  }

  const { hold, settle, retried } = createCallsOnLeases(ledger, leases)
  const release = () => database.query('select release_abandoned_leases($1)', [gatewayNumber])
  const replay = { ...dependencies, gatewayNumber, commits }
  await replayJournals(replay, 'start')
  await release()
  const recoverLeft = async () => {
    // At the start, the database may not have noticed yet that an earlier gateway of this machine was killed.
    await replayJournals(replay, 'later').catch((error) =>
      log.warn({ err: error }, 'The calls on file of killed gateways are written later.'),
    )
    await release()
  }
  const timer = setInterval(() => {
    recoverLeft().catch((error) => log.warn({ err: error }, 'Leases are released later.'))
  }, recoveryIntervalMs).unref()

  return {
    ...ledger,
    hold,
    settle,
    holdJob: (hold, job) => retried(hold, () => ledger.holdJob(hold, job)),
    rehearse: (hold, job) => retried(hold, () => ledger.rehearse(hold, job)),
    async catchUp(accountId) {
      await recallSpare(accountId)
      await ledger.catchUp(accountId)
    },
    async debit(accountId, micros, reason, client) {
      // The spare amounts of the account's leases are available too.
      await recallSpare(accountId)
      return await ledger.debit(accountId, micros, reason, client)
    },
    async recover() {
      const voided = await ledger.recover()
      await release()
      return voided
    },
    async close() {
      clearInterval(timer)
      await Promise.all([ledger.close(), leases.close()])
    },
  }
}

/** Holds and settlements, on leases where the call may use one. */
function createCallsOnLeases(ledger: Ledger, leases: Leases) {
  /**
   * Calls under way whose callers wait for the books. A turn costs more than a hold and a settlement and is shared, so
   * a lone call is held by itself.
   */
  const underWay = new Set<string>()
  const isLone = (hold: Hold) => hold.waitsForBooks === true && underWay.size === 0

  /** Repeats a hold that was refused while a lease of the account held more than it needs. */
  async function retried(hold: Hold, attempt: () => Promise<HoldOutcome>): Promise<HoldOutcome> {
    const outcome = await attempt()
    const isScarce = scarcities.has(outcome.outcome)
    return isScarce && (await leases.recall(hold.accountId)) ? await attempt() : outcome
  }

  /** A call whose amount is reserved only needs its idempotency key. */
  async function claimed(hold: Hold): Promise<HoldOutcome> {
    if (hold.idempotencyKey === undefined) return { outcome: 'held', available: 0 }
    let outcome: HoldOutcome | undefined
    try {
      outcome = await ledger.hold({ ...hold, onLease: true })
      return outcome
    } finally {
      if (outcome?.outcome !== 'held') leases.release(hold.callId)
    }
  }

  /** A claimed call that has ended on its lease. */
  function settled(settlement: Settlement) {
    const ending = leases.end(settlement)
    void ending?.then(
      () => ledger.ended(settlement.callId),
      () => {},
    )
    return ending
  }

  const begun = async (hold: Hold) =>
    hold.mayUseLease && !isLone(hold) && leases.reserve(hold)
      ? await claimed(hold)
      : await retried(hold, () => ledger.hold(hold))

  return {
    retried,
    async hold(hold: Hold): Promise<HoldOutcome> {
      const taken = begun(hold)
      if (!hold.mayUseLease || !hold.waitsForBooks) return await taken
      underWay.add(hold.callId)
      let outcome: HoldOutcome | undefined
      try {
        outcome = await taken
        return outcome
      } finally {
        if (outcome?.outcome !== 'held') underWay.delete(hold.callId)
      }
    },
    settle(settlement: Settlement) {
      underWay.delete(settlement.callId)
      return settled(settlement) ?? ledger.settle(settlement)
    },
  }
}

interface Leases {
  /** Reserves what the call may cost. False: there is no lease, or too little on it. */
  reserve(hold: Hold): boolean
  /** Gives back the reservation of a call that does not run. */
  release(callId: string): void
  /**
   * Ends a reserved call. Resolves when the end of this process cannot undo it: a call that waits is in the books by
   * then, any other soon. Undefined for a call that is on no lease.
   */
  end(settlement: Settlement): Promise<SettleOutcome> | undefined
  /**
   * Gives back everything that no call has reserved. Resolves to whether the account has more to spend by it than a
   * moment ago.
   */
  recall(accountId: string): Promise<boolean>
  /** Compares the leases with the database, which may have crashed. */
  reconcile(): void
  /** Writes everything, and closes every lease. */
  close(): Promise<void>
}

function createLeases(dependencies: {
  readonly commits: LeaseCommits
  readonly gatewayNumber: number
  readonly journal: LeaseJournal
  readonly clock: Clock
  readonly log: Log
}): Leases {
  const { commits, journal, clock } = dependencies
  const book = createLeaseBook(clock)
  const calls = createEndedCalls(dependencies)
  /** Accounts that a lease has given something back to. */
  const given = createRecent(clock)
  const writer = createLeaseWriter({ ...dependencies, book, calls, onGiven: given.mark })
  let isClosed = false
  const write = (...entries: readonly (Entry | undefined)[]) => {
    if (entries.some((entry) => entry !== undefined && book.needsTurn(entry))) writer.schedule()
  }
  const sweep = setInterval(() => {
    book.sweep()
    given.sweep()
    write(...book.entries())
    if (calls.isFlushDue()) writer.schedule()
  }, sweepIntervalMs).unref()

  function end(settlement: Settlement) {
    const { callId, charged } = settlement
    const found = book.free(callId, charged)
    if (found === undefined) return calls.outcomeOf(callId)
    const { entry, call } = found
    const { ended, safe } = calls.end(call, settlement)
    const outcome = safe.then(
      (available = entry.lease.spare) => ({ outcome: 'done', available }) as const,
    )
    const isAwaited = ended.tell !== undefined
    if (isAwaited) calls.expect(callId, outcome)
    if (book.entries().has(entry)) {
      entry.ended.push(ended)
      writer.schedule(isAwaited)
    } else void writer.replay([ended])
    return outcome
  }

  return {
    reserve(hold) {
      if (isClosed || calls.isFull()) return false
      const { isReserved, entry } = book.reserve(hold)
      write(entry)
      return isReserved
    },
    release: (callId) => write(book.free(callId, 0)?.entry),
    end,
    async recall(accountId) {
      const wasGiven = given.isRecent(accountId)
      const gave = await recallAll(leasesOf(book, accountId), clock.now(), writer.schedule)
      return wasGiven || gave
    },
    reconcile: () => writer.schedule(),
    async close() {
      clearInterval(sweep)
      isClosed = true
      commits.hurry()
      for (const entry of book.entries()) {
        book.retire(entry)
        entry.lease = abandon(entry.lease)
      }
      await writer.finish()
      await commits.close()
      journal.close()
    },
  }
}

const leasesOf = (book: LeaseBook, accountId: string) =>
  [...book.entries()].filter(
    ({ lease, isAsking }) => lease.accountId === accountId && (isAsking || !lease.isClosing),
  )

/** Resolves, with the next turn of each lease, to whether one of them had something to give back. */
async function recallAll(entries: readonly Entry[], nowMs: number, schedule: () => void) {
  const gave = await Promise.all(entries.map((entry) => recallOne(entry, nowMs, schedule)))
  return gave.includes(true)
}

/**
 * Resolves, with the lease's next turn, to whether it had something to give back. A turn that is on its way may bring
 * what the next one gives back.
 */
async function recallOne(entry: Entry, nowMs: number, schedule: () => void): Promise<boolean> {
  const { spare, places } = entry.lease
  if (entry.recalled === undefined) {
    const hasNothing = spare === 0 && places === 0 && entry.ended.length === 0
    if (hasNothing && !entry.isAsking) return false
    entry.recalled = Promise.withResolvers<boolean>()
    entry.lease = recall(entry.lease, nowMs)
    schedule()
  }
  return await entry.recalled.promise
}

interface Replay {
  readonly database: Database
  readonly journalDirectory: string
  readonly gatewayNumber: number
  readonly commits: Pick<LeaseCommits, 'replay'>
  readonly log: Log
}

/** Writes the calls that killed gateways had on file and not in the books. */
async function replayJournals(
  { database, journalDirectory, gatewayNumber: own, commits, log }: Replay,
  when: 'start' | 'later',
) {
  for (const { gatewayNumber, readLines, remove } of await listLeaseJournals(journalDirectory)) {
    const [row] = await database.query<{ lives: boolean }>('select gateway_lives($1) as lives', [
      gatewayNumber,
    ])
    // At its start, this gateway has no file yet. One with its number is from before the database was replaced by an
    // older copy.
    const isLeft = gatewayNumber === own ? when === 'start' : row?.lives === false
    if (!isLeft) continue
    const lines = await readLines()
    const rows = await database.query<{ id: string }>(
      'select id from unwritten_calls($1) as call (id)',
      [lines.flatMap(callIdOf)],
    )
    const missing = new Set(rows.map(({ id }) => id))
    for (const line of lines) {
      if (!callIdOf(line).some((callId) => missing.has(callId))) continue
      await commits
        .replay(line)
        .catch((error) =>
          log.error({ err: error, call: line }, 'A call on file could not be written.'),
        )
    }
    await remove()
  }
}

/** None for a line that a full disk has damaged. */
function callIdOf(line: string): string[] {
  try {
    const { id } = JSON.parse(line)
    return isUuid(id) ? [id] : []
  } catch {
    return []
  }
}
