// The holds and settlements of one event-loop turn go to the database as one statement on one connection. While a batch
// is under way the next one gathers, so batches grow with the load.
import type { Client } from 'pg'
import { fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Database, isTransient } from '#platform/database/database.ts'
import { apart, type Batch, createCommitQueue, type Waiting } from './commit-queue.ts'
import {
  type Hold,
  type HoldOutcome,
  type Settlement,
  type SettleOutcome,
  settleWaitMsMax,
} from './operations.ts'
import { holdRecord, recordset, settlementRecord } from './records.ts'
import { connectAsGateway, replaceConnection } from './session.ts'

interface Pending<Operation, Outcome> extends Waiting {
  readonly operation: Operation
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

type PendingHold = Pending<Hold, HoldOutcome>
type PendingSettlement = Pending<Settlement, SettleOutcome>
type PendingBatch = Batch<PendingHold, PendingSettlement>

interface CommitRow {
  kind: 'hold' | 'claim' | 'settle'
  place: number
  outcome: string
  available: number
  earlier: string | null
}

/** A larger batch keeps its callers waiting longer than it saves. See `npm run bench batches`. */
const operationsPerBatchMaxDefault = 256
const holdWaitMsMax = 10_000

export interface GroupCommit {
  hold(hold: Hold): Promise<HoldOutcome>
  settle(settlement: Settlement): Promise<SettleOutcome>
  /** Resolves when everything sent so far is answered, then gives the connection back. */
  close(): Promise<void>
}

interface Dependencies {
  readonly database: Database
  readonly gatewayNumber: number
  readonly inFlightMax: number
  readonly clock: Clock
  readonly log: Log
  readonly operationsPerBatchMax?: number
}

export async function createGroupCommit(dependencies: Dependencies): Promise<GroupCommit> {
  const { clock, log } = dependencies
  const queue = createCommitQueue<PendingHold, PendingSettlement>(
    dependencies.operationsPerBatchMax ?? operationsPerBatchMaxDefault,
  )
  let running: Promise<void> | undefined
  let closed = false
  const session = await openSession(dependencies, {
    isOver: () => closed,
    beforeAttempt: () => answerLate(queue.expire(clock.now()), settle),
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

  function wait<Operation, Outcome>(
    add: (pending: Pending<Operation, Outcome>) => void,
    operation: Operation,
    waitMsMax: number,
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      add({ operation, resolve, reject, sent: false, deadlineMs: clock.now() + waitMsMax })
      schedule()
    })
  }

  const hold = (operation: Hold) => wait(queue.addHold, operation, holdWaitMsMax)
  const settle = (operation: Settlement) => wait(queue.addSettlement, operation, settleWaitMsMax)

  async function close() {
    closed = true
    while (running) await running
    await session.end()
  }
  return { hold, settle, close }
}

/** The connection that batches travel on. */
async function openSession(
  { database, gatewayNumber, inFlightMax, clock }: Dependencies,
  waiting: { isOver: () => boolean; beforeAttempt: () => void },
) {
  const connect = (): Promise<Client> => connectAsGateway(database, gatewayNumber)
  let connection = await connect()

  return {
    /** Sends a batch and answers its callers. Throws what the database reports. */
    async send({ settlements, holds }: PendingBatch) {
      const claims = holds.filter(({ operation }) => operation.onLease === true)
      const priced = holds.filter(({ operation }) => operation.onLease !== true)
      const asked = { hold: priced, claim: claims }
      const calls: Call[] = []
      if (settlements.length + priced.length > 0)
        calls.push({
          name: 'ledger_commit',
          values: [
            gatewayNumber,
            inFlightMax,
            recordset(settlements.map(({ operation }) => settlementRecord(operation))),
            recordset(priced.map(({ operation }) => holdRecord(operation))),
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
        if (kind === 'settle')
          settlements[place - 1]?.resolve({ outcome, available } as SettleOutcome)
        else asked[kind][place - 1]?.resolve({ outcome, available, earlier } as HoldOutcome)
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

/**
 * Tells callers that have waited long enough. A hold may be in the database although no reply came, so it is voided.
 */
function answerLate({ holds, settlements }: PendingBatch, settle: GroupCommit['settle']) {
  for (const { operation, reject, sent } of holds) {
    reject(fail('unavailable'))
    if (sent) settle(asVoid(operation)).catch(() => {})
  }
  for (const { reject } of settlements) reject(fail('payment_pending'))
}

/** At the end of a gateway without a database: its successor recovers what is unanswered. */
function rejectAll({ settlements, holds }: PendingBatch, error: Error) {
  for (const { reject } of [...settlements, ...holds]) reject(error)
}

function asVoid({ callId, accountId }: Hold): Settlement {
  return { callId, accountId, state: 'voided', charged: 0, error: 'unavailable' }
}
