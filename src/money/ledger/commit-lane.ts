// A connection on which holds and settlements travel to the database, those of one event-loop turn as one statement.
// While a batch is under way the next one gathers, so batches grow with the load.
import type { Client } from 'pg'
import { fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { isTransient } from '#platform/database/database.ts'
import { apart, type Batch, createCommitQueue, type Waiting } from './commit-queue.ts'
import type { Hold, HoldOutcome, Settlement, SettleOutcome } from './operations.ts'
import { holdRecord, recordset, settlementRecord } from './records.ts'
import { connectAsGateway, type GatewaySession, replaceConnection } from './session.ts'

export interface Pending<Operation, Outcome> extends Waiting {
  readonly operation: Operation
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

export type PendingHold = Pending<Hold, HoldOutcome>
export type PendingSettlement = Pending<Settlement, SettleOutcome>
type PendingBatch = Batch<PendingHold, PendingSettlement>

interface CommitRow {
  kind: 'hold' | 'claim' | 'settle'
  place: number
  outcome: string
  available: number | null
  earlier: string | null
}

/** Of an operation whose account another transaction has locked: it is not made. */
const busy = 'busy'

export interface CommitLane {
  addHold(hold: PendingHold): void
  addSettlement(settlement: PendingSettlement): void
  /** Whether an operation of the account waits here, or is under way. */
  has(accountId: string): boolean
  /** Resolves when everything added so far is answered, then gives the connection back. */
  close(): Promise<void>
}

export interface CommitLaneDependencies extends GatewaySession {
  readonly inFlightMax: number
  readonly clock: Clock
  readonly log: Log
  readonly operationsPerBatchMax: number
}

interface LaneTerms {
  /**
   * Takes operations whose account another transaction has locked, so that the others of their batch do not wait.
   * Without it, the whole batch waits for the lock.
   */
  readonly busyLane?: CommitLane
  /** Voids a hold whose caller was told that it failed. */
  readonly voidHold: (hold: Hold) => void
}

export async function openCommitLane(
  dependencies: CommitLaneDependencies,
  terms: LaneTerms,
): Promise<CommitLane> {
  const { clock, log } = dependencies
  const queue = createCommitQueue<PendingHold, PendingSettlement>(
    dependencies.operationsPerBatchMax,
  )
  const accounts = countAccounts()
  let running: Promise<void> | undefined
  let closed = false
  const session = await openSession(dependencies, terms, {
    isOver: () => closed,
    beforeAttempt: () => answerLate(queue.expire(clock.now())),
  })

  function schedule() {
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain).finally(() => {
      running = undefined
      if (!queue.isEmpty()) schedule()
    })
  }

  async function drain() {
    while (!queue.isEmpty()) await commit(queue.next())
  }

  async function commit(batch: PendingBatch): Promise<void> {
    try {
      await session.send(batch)
      accounts.leave(batch)
      queue.answered()
    } catch (error) {
      if (isTransient(error)) {
        log.warn({ err: error }, 'The database is in trouble; the ledger reconnects.')
        const failures = queue.later(batch)
        const isLost = (closed && failures > 1) || !(await session.reconnect(failures))
        if (isLost) rejectAll(queue.clear(), fail('unavailable', { cause: error }))
      } else {
        const parts = apart(batch)
        for (const part of parts) await commit(part)
        if (parts.length > 0) return
        log.error({ err: error }, 'The ledger could not commit an operation.')
        rejectAll(batch, fail('upstream_error', { cause: error }))
      }
    }
  }

  /** At the end of a gateway without a database: its successor recovers what is unanswered. */
  function rejectAll(batch: PendingBatch, error: Error) {
    accounts.leave(batch)
    for (const { reject } of [...batch.settlements, ...batch.holds]) reject(error)
  }

  /**
   * Tells callers that have waited long enough. A hold may be in the database although no reply came, so it is voided.
   */
  function answerLate({ holds, settlements }: PendingBatch) {
    accounts.leave({ holds, settlements: [] })
    for (const { operation, reject, sent } of holds) {
      reject(fail('unavailable'))
      if (sent) terms.voidHold(operation)
    }
    for (const { reject } of settlements) reject(fail('payment_pending'))
  }

  return {
    addHold(hold) {
      accounts.enter(hold)
      queue.addHold(hold)
      schedule()
    },
    addSettlement(settlement) {
      accounts.enter(settlement)
      queue.addSettlement(settlement)
      schedule()
    },
    has: accounts.has,
    async close() {
      closed = true
      while (running) await running
      await session.end()
    },
  }
}

/** Counts the operations of each account. */
function countAccounts() {
  const counts = new Map<string, number>()
  const add = ({ operation: { accountId } }: PendingHold | PendingSettlement, by: number) => {
    const count = (counts.get(accountId) ?? 0) + by
    if (count === 0) counts.delete(accountId)
    else counts.set(accountId, count)
  }
  return {
    enter: (pending: PendingHold | PendingSettlement) => add(pending, 1),
    leave({ settlements, holds }: PendingBatch) {
      for (const pending of [...settlements, ...holds]) add(pending, -1)
    },
    has: (accountId: string) => counts.has(accountId),
  }
}

/** The connection that batches travel on. */
async function openSession(
  dependencies: CommitLaneDependencies,
  { busyLane }: LaneTerms,
  waiting: { isOver: () => boolean; beforeAttempt: () => void },
) {
  const { gatewayNumber, inFlightMax, clock } = dependencies
  const connect = (): Promise<Client> => connectAsGateway(dependencies)
  let connection = await connect()

  return {
    /** Sends a batch and answers its callers, or hands them on. Throws what the database reports. */
    async send({ settlements, holds }: PendingBatch) {
      const claims = holds.filter(({ operation }) => operation.onLease === true)
      const priced = holds.filter(({ operation }) => operation.onLease !== true)
      const asked = { hold: priced, claim: claims }
      const calls: Call[] = []
      if (settlements.length + priced.length > 0)
        calls.push({
          name: 'ledger_commit_turn',
          values: [
            gatewayNumber,
            inFlightMax,
            recordset(settlements.map(({ operation }) => settlementRecord(operation))),
            recordset(priced.map(({ operation }) => holdRecord(operation))),
            busyLane === undefined,
          ],
        })
      if (claims.length > 0)
        calls.push({
          name: 'ledger_claim',
          values: [gatewayNumber, recordset(claims.map(({ operation }) => holdRecord(operation)))],
        })
      const { rows } = await connection.query<CommitRow>(oneStatement(calls))
      // The functions of the database write these unions; their tests hold the two together.
      for (const { kind, place, outcome, available, earlier } of rows) {
        if (kind === 'settle') {
          const settlement = settlements[place - 1]
          if (settlement === undefined) continue
          if (outcome === busy) busyLane?.addSettlement(settlement)
          else settlement.resolve({ outcome, available } as SettleOutcome)
        } else {
          const hold = asked[kind][place - 1]
          if (hold === undefined) continue
          if (outcome === busy) busyLane?.addHold(hold)
          else hold.resolve({ outcome, available, earlier } as HoldOutcome)
        }
      }
    },
    /** False when it was over before there was a connection. */
    async reconnect(failures: number): Promise<boolean> {
      const replaced = await replaceConnection(connection, {
        connect,
        clock,
        failures,
        ...waiting,
      }).catch(() => undefined)
      if (replaced !== undefined) connection = replaced
      return replaced !== undefined
    },
    end: () => connection.end(),
  }
}

interface Call {
  /** Of a function of the database. */
  readonly name: string
  readonly values: readonly unknown[]
}

/** Calls the functions one after the other in one transaction, so that their callers wait for one flush. */
function oneStatement(calls: readonly Call[]) {
  const values: unknown[] = []
  const selections = calls.map((call) => {
    const places = call.values.map((value) => `$${values.push(value)}`)
    return `select * from ${call.name}(${places.join(', ')})`
  })
  const name = calls.map((call) => call.name).join(' and ')
  return { name, text: selections.join(' union all '), values }
}
