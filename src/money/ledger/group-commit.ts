// The holds and settles of one event-loop turn go to the database as one statement on one connection. While a batch is
// under way the next one gathers, so the busier the gateway, the larger its batches.

import { fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Database, isTransient } from '#platform/database/database.ts'
import { holdRecord, recordset, settlementRecord } from './rows.ts'
import { connectAsGateway, replaceConnection } from './session.ts'

export interface Hold {
  /** The call's id, made by the gateway: a hold that is sent twice is one hold. */
  readonly callId: string
  readonly accountId: string
  readonly keyId: string
  readonly action: string
  /** Whether it counts against the account's inference of the day. */
  readonly inference?: boolean | undefined
  readonly micros: Micros
  readonly idempotencyKey?: string | undefined
  readonly requestDigest?: Buffer | undefined
  /** After this time a hold that nobody settled is voided. */
  readonly lifetimeMs: number
  /**
   * Answered when the database has it, and not only when its disk has: a power failure may forget the last second of
   * such holds and settlements, whose calls are then charged nothing. What is settled must say the same as its hold.
   */
  readonly relaxed?: boolean | undefined
  /** Whether it may go on a tab. Only for calls by the token. */
  readonly onTab?: boolean | undefined
  /** Its amount is reserved on a tab: only its idempotency key is to be claimed. */
  readonly onLease?: boolean | undefined
  /** The limits of its key, as a text that changes when they do. Absent where the key has none. */
  readonly limits?: string | undefined
}

export interface Settlement {
  readonly callId: string
  readonly accountId: string
  readonly state: 'settled' | 'voided'
  readonly charged: Micros
  readonly cost?: Micros | undefined
  readonly error?: string | undefined
  readonly message?: string | undefined
  /** The stored answer, as JSON text. */
  readonly output?: string | undefined
  /** The hops, as JSON text. */
  readonly timeline?: string | undefined
  readonly relaxed?: boolean | undefined
}

export type HoldRefusal =
  | 'insufficient'
  | 'too_many_inflight'
  | 'key_invalid'
  | 'key_limit'
  /** The account has spent its inference of the day, or this call alone would. */
  | 'inference_cap'
  /** It would if its calls under way cost all that they may. */
  | 'inference_busy'
  | 'action_not_allowed'
  | 'mismatch'
  | 'in_progress'
  | 'expired'

export type HoldOutcome =
  | { readonly outcome: 'held'; readonly available: Micros }
  | { readonly outcome: 'replay'; readonly available: Micros; readonly earlier: string }
  | {
      readonly outcome: HoldRefusal
      readonly available: Micros | null
      /** The call that has the idempotency key, where that is why. */
      readonly earlier?: string | null
    }

/** `gone`: the hold had been voided before, by its deadline; nothing is charged. */
export type SettleOutcome = { readonly outcome: 'done' | 'gone'; readonly available: Micros }

interface Pending<Operation, Outcome> {
  readonly operation: Operation
  readonly deadline: number
  /** Whether a batch with it was sent, so that the database may have it although no reply came. */
  sent: boolean
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

type PendingHold = Pending<Hold, HoldOutcome>
type PendingSettlement = Pending<Settlement, SettleOutcome>

interface Batch {
  readonly settlements: readonly PendingSettlement[]
  readonly holds: readonly PendingHold[]
}

interface CommitRow {
  kind: 'hold' | 'claim' | 'settle'
  place: number
  outcome: string
  available: Micros
  earlier: string | null
}

/** Past this size a batch keeps its callers waiting longer than it saves. See `npm run bench batches`. */
const operationsPerBatchMaxDefault = 256
const holdWaitMsMax = 10_000
/** How long a caller waits for the end of a call to be in the books. */
export const settleWaitMsMax = 30_000

const commitStatement = {
  name: 'ledger_commit',
  text: 'select * from ledger_commit($1, $2, $3, $4)',
}

const claimStatement = {
  name: 'ledger_claim',
  text: 'select * from ledger_claim($1, $2)',
}

export interface GroupCommit {
  hold(hold: Hold): Promise<HoldOutcome>
  settle(settlement: Settlement): Promise<SettleOutcome>
  /** Resolves when everything sent so far is answered, then gives the connection back. */
  close(): Promise<void>
}

export async function createGroupCommit(options: {
  database: Database
  gatewayNumber: number
  inFlightMax: number
  clock: Clock
  log: Log
  operationsPerBatchMax?: number
  /** Whether to wait for the disk. Default true. */
  durable?: boolean
}): Promise<GroupCommit> {
  const { database, gatewayNumber, clock, log } = options
  const operationsPerBatchMax = options.operationsPerBatchMax ?? operationsPerBatchMaxDefault
  let holds: PendingHold[] = []
  const settlements: PendingSettlement[] = []
  let running: Promise<void> | undefined
  let closed = false
  /** Batches that failed in a row, and how large the next one may be: what is too much at once may fit in parts. */
  let failures = 0
  let operationsPerBatch = operationsPerBatchMax
  let connection = await connect()

  function connect() {
    return connectAsGateway(database, { gatewayNumber, durable: options.durable })
  }

  function schedule() {
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain).finally(() => {
      running = undefined
      if (holds.length + settlements.length > 0) schedule()
    })
  }

  async function drain() {
    while (holds.length + settlements.length > 0) {
      // What frees money goes before what needs it.
      const settling = settlements.splice(0, operationsPerBatch)
      const holding = holds.splice(0, operationsPerBatch - settling.length)
      await commitUntilAnswered({ settlements: settling, holds: holding })
    }
  }

  async function commitUntilAnswered(batch: Batch): Promise<void> {
    try {
      answer(batch, await send(batch))
      failures = 0
      operationsPerBatch = Math.min(2 * operationsPerBatch, operationsPerBatchMax)
    } catch (error) {
      if (isTransient(error)) {
        log.warn({ err: error }, 'The database is in trouble; the ledger is connecting again.')
        await tryLater(batch, error)
      } else if (batch.settlements.length + batch.holds.length === 1) {
        log.error({ err: error }, 'The ledger could not commit an operation.')
        for (const pending of [...batch.settlements, ...batch.holds])
          pending.reject(fail('upstream_error', { cause: error }))
      } else {
        // One operation spoils the statement for all: each one alone shows which.
        for (const pending of batch.settlements)
          await commitUntilAnswered({ settlements: [pending], holds: [] })
        for (const pending of batch.holds)
          await commitUntilAnswered({ settlements: [], holds: [pending] })
      }
    }
  }

  async function send({ settlements, holds }: Batch): Promise<CommitRow[]> {
    for (const pending of holds) pending.sent = true
    const { priced, claims } = apart(holds)
    const committed =
      settlements.length + priced.length > 0 ? await sendCommit(settlements, priced) : []
    return claims.length > 0 ? [...committed, ...(await sendClaims(claims))] : committed
  }

  async function sendClaims(claims: readonly PendingHold[]): Promise<CommitRow[]> {
    const { rows } = await connection.query<CommitRow>({
      ...claimStatement,
      values: [gatewayNumber, recordset(claims.map(({ operation }) => holdRecord(operation)))],
    })
    return rows
  }

  async function sendCommit(
    settlements: readonly PendingSettlement[],
    holds: readonly PendingHold[],
  ): Promise<CommitRow[]> {
    const { rows } = await connection.query<CommitRow>({
      ...commitStatement,
      values: [
        gatewayNumber,
        options.inFlightMax,
        recordset(settlements.map(({ operation }) => settlementRecord(operation))),
        recordset(holds.map(({ operation }) => holdRecord(operation))),
      ],
    })
    return rows
  }

  function answer({ settlements, holds }: Batch, rows: readonly CommitRow[]) {
    const { priced, claims } = apart(holds)
    for (const { kind, place, outcome, available, earlier } of rows) {
      // Both outcomes are unions that the statements write; their tests hold them together.
      if (kind === 'settle')
        settlements[place - 1]?.resolve({ outcome, available } as SettleOutcome)
      else {
        const asked = kind === 'hold' ? priced : claims
        asked[place - 1]?.resolve({ outcome, available, earlier } as HoldOutcome)
      }
    }
  }

  async function tryLater(batch: Batch, error: unknown) {
    // Behind the others, so that one that fails each time does not keep them from trying.
    settlements.push(...batch.settlements)
    holds.push(...batch.holds)
    failures += 1
    operationsPerBatch = Math.ceil((batch.settlements.length + batch.holds.length) / 2)
    if (closed && failures > 1) abandon(error)
    else await reconnect()
  }

  async function reconnect() {
    const isOver = () => closed
    try {
      connection = await replaceConnection(connection, {
        connect,
        clock,
        isOver,
        beforeAttempt: expire,
        failures,
      })
    } catch (error) {
      abandon(error)
    }
  }

  /** Closing without a database: what is unanswered is left to the recovery of whoever starts next. */
  function abandon(cause: unknown) {
    for (const pending of [...settlements.splice(0), ...holds.splice(0)])
      pending.reject(fail('unavailable', { cause }))
  }

  /** Those who have waited long enough are told so; what the database may have done all the same is undone later. */
  function expire() {
    const now = clock.now()
    const waiting: PendingHold[] = []
    for (const pending of holds) {
      if (pending.deadline > now) {
        waiting.push(pending)
        continue
      }
      pending.reject(fail('unavailable'))
      if (pending.sent) void voidQuietly(pending.operation)
    }
    holds = waiting
    for (const pending of settlements) {
      // It stays in the queue: a settlement is never given up, only its caller stops waiting.
      if (pending.deadline <= now) pending.reject(fail('payment_pending'))
    }
  }

  function voidQuietly({ callId, accountId }: Hold): Promise<unknown> {
    return settle({ callId, accountId, state: 'voided', charged: 0, error: 'unavailable' }).catch(
      () => {},
    )
  }

  function settle(operation: Settlement): Promise<SettleOutcome> {
    return new Promise((resolve, reject) => {
      settlements.push({
        operation,
        resolve,
        reject,
        sent: false,
        deadline: clock.now() + settleWaitMsMax,
      })
      schedule()
    })
  }

  return {
    hold: (operation) =>
      new Promise((resolve, reject) => {
        holds.push({
          operation,
          resolve,
          reject,
          sent: false,
          deadline: clock.now() + holdWaitMsMax,
        })
        schedule()
      }),
    settle,
    async close() {
      closed = true
      while (running) await running
      await connection.end()
    },
  }
}

/** Holds that take their amount from the balance, and those that claim a key only. */
function apart(holds: readonly PendingHold[]) {
  return {
    priced: holds.filter(({ operation }) => operation.onLease !== true),
    claims: holds.filter(({ operation }) => operation.onLease === true),
  }
}
