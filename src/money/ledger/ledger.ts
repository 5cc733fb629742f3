// The ledger: two-phase charges (hold, then settle or void), credits, recovery, and the proof that the books are right.
import type { ClientBase } from 'pg'
import { toCallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { ProcessPlaces } from '#platform/process-place.ts'
import { type CallsUnderWay, createCallsUnderWay } from './calls-under-way.ts'
import { enterGateways } from './gateway-presence.ts'
import { createGrants, expireCredit, expireGrants, type Grants } from './grants.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import type { Hold, HoldOutcome, Settlement, SettleOutcome } from './operations.ts'
import { holdRecord } from './records.ts'
import { rehearse } from './rehearsal.ts'
import { type Repair, repairBooks, type Verification, verifyBooks } from './verification.ts'

export interface JobHold {
  readonly input: string
  /** The open jobs of the account and action, at most. */
  readonly atOnceMax: number
  /** Called in the transaction of the hold: either both happen or neither. */
  readonly enqueue: (client: ClientBase) => Promise<void>
}

export interface Ledger extends Grants {
  /** The number by which others see whether this process lives. */
  readonly gatewayNumber: number
  /** Takes the price of a call from the available balance and claims its idempotency key, or says why not. */
  hold(hold: Hold): Promise<HoldOutcome>
  /** Holds the price of a job and queues it. */
  holdJob(hold: Hold, job: JobHold): Promise<HoldOutcome>
  /** What `hold` or `holdJob` would answer, without holding anything. */
  rehearse(hold: Hold, job?: { atOnceMax: number }): Promise<HoldOutcome>
  /** How many free calls of the action the account has taken on this day of UTC. */
  freeCallsTaken(accountId: string, action: string): Promise<number>
  /**
   * Raises the hold of an open call towards a target, as far as the balance and the limits of its key allow. Resolves
   * to what is held then, or null when the call has ended. Repeating it is safe.
   */
  extend(callId: string, targetMicros: Micros): Promise<Micros | null>
  /**
   * Lowers the hold of an open call to what the limits of its key allow now, but never below what it has cost so far.
   * Resolves to what is held then, or null when the call has ended.
   */
  fit(callId: string, costMicros: Micros): Promise<Micros | null>
  /** Ends a held call: charges it, gives back the rest, stores the answer. Repeating it changes nothing. */
  settle(settlement: Settlement): Promise<SettleOutcome>
  /** A held call has ended in another way than by `settle`. */
  ended(callId: string): void
  /** Adds to a balance. Resolves to the available amount, or null when there is no such account. */
  credit(
    accountId: string,
    micros: Micros,
    reason: string,
    client?: ClientBase,
  ): Promise<Micros | null>
  /** Takes from the available amount. Null when there is no such account; `taken` is false when it is too little. */
  debit(
    accountId: string,
    micros: Micros,
    reason: string,
    client: ClientBase,
  ): Promise<{ readonly taken: boolean; readonly available: Micros } | null>
  /**
   * Resolves when the database has the account's ended calls and exact holds, or after a moment, and has taken back
   * what has expired of its credit.
   */
  catchUp(accountId: string): Promise<void>
  /**
   * Voids the holds of stopped gateways, those past their deadline, and those whose calls this gateway has ended, which
   * a server that lagged behind holds again. Resolves to their number.
   */
  recover(): Promise<number>
  /**
   * Recomputes every balance from its postings, and compares what calls have made with what they were charged.
   * `isIncremental`: postings of days that an earlier verification has found right are not read again.
   */
  verify(options?: { readonly isIncremental: boolean }): Promise<Verification>
  /** Mends wrong books in the transaction of the client. Without one, changes nothing and tells what it would do. */
  repair(client?: ClientBase): Promise<Repair>
  close(): Promise<void>
}

export interface LedgerDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** Without it, the calls of a killed gateway of the same machine are voided a few seconds after its end. */
  readonly places?: ProcessPlaces
  /** Calls of one account that may run at once. */
  readonly inFlightMax: number
  /** What one account may spend on language models a day (UTC). Default 10 dollars. */
  readonly inferenceDayMicrosMax?: Micros
  /** What the uncharged calls of one account may cost the operator a day (UTC). Default 1 dollar. */
  readonly unchargedDayMicrosMax?: Micros
}

const recoveryIntervalMs = 15_000
const abandonedPerRound = 500
const jobHoldTriesMax = 10
const jobHoldRetryIntervalMs = 1_000

export async function createLedger(dependencies: LedgerDependencies): Promise<Ledger> {
  const { database, log, inFlightMax } = dependencies
  const presence = await enterGateways(dependencies)
  const { gatewayNumber } = presence
  const groupCommit = await createGroupCommit({ ...dependencies, gatewayNumber })
  const underWay = createCallsUnderWay(dependencies.clock)
  await setCaps(dependencies)

  const recovery = { database, groupCommit, underWay, gatewayNumber, log }
  const recover = async () =>
    (await voidAbandonedCalls(recovery)) + (await voidForgottenCalls(recovery))
  await presence.settled()
  await recover()
  const timer = setInterval(() => {
    recover().catch((error) => log.warn({ err: error }, 'Recovery failed; it runs again later.'))
    expireGrants(database).catch((error) =>
      log.warn({ err: error }, 'Expired credit was not taken back; it is tried again later.'),
    )
  }, recoveryIntervalMs).unref()

  return {
    gatewayNumber,
    async hold(hold) {
      underWay.begin(hold)
      let outcome: HoldOutcome | undefined
      try {
        outcome = await groupCommit.hold(hold)
        return outcome
      } finally {
        if (outcome?.outcome !== 'held') underWay.end(hold.callId)
      }
    },
    async freeCallsTaken(accountId, action) {
      const [row] = await database.query<{ taken: number }>(
        'select free_calls_taken($1, $2) as taken',
        [accountId, action],
      )
      return row?.taken ?? 0
    },
    async extend(callId, targetMicros) {
      const [row] = await database.query<{ held: Micros | null }>(
        'select extend_hold($1, $2) as held',
        [callId, targetMicros],
      )
      return row?.held ?? null
    },
    async fit(callId, costMicros) {
      const [row] = await database.query<{ held: Micros | null }>(
        'select fit_hold($1, $2) as held',
        [callId, costMicros],
      )
      return row?.held ?? null
    },
    async settle(settlement) {
      const hold = underWay.holdOf(settlement.callId)
      const outcome = await groupCommit.settle(settlement)
      underWay.end(settlement.callId)
      const isToldAlready =
        hold?.mayUseLease === true && !hold.waitsForBooks && settlement.state === 'settled'
      return outcome.outcome === 'gone' && isToldAlready
        ? await settleForgotten(recovery, hold, settlement)
        : outcome
    },
    ended: underWay.end,
    holdJob: (hold, job) => holdJobSurely(dependencies, groupCommit, hold, job),
    rehearse: (hold, job) =>
      rehearse(database, (client) =>
        job === undefined
          ? holdOn(client, hold, inFlightMax)
          : holdOn(client, hold, job.atOnceMax, '{}'),
      ),
    credit: (accountId, micros, reason, client) =>
      credit(client ?? database, accountId, micros, reason),
    debit: (accountId, micros, reason, client) => debit(client, accountId, micros, reason),
    ...createGrants(database),
    catchUp: (accountId) => expireCredit(database, accountId),
    recover,
    verify: (options) => verifyBooks(database, options),
    repair: (client) => repairBooks(database, client),
    async close() {
      clearInterval(timer)
      await groupCommit.close()
      await presence.leave()
    },
  }
}

interface Recovery {
  readonly database: Database
  readonly groupCommit: GroupCommit
  readonly underWay: CallsUnderWay
  readonly gatewayNumber: number
  readonly log: Log
}

/** The caps of a day are in the database, where each hold is compared with them. */
async function setCaps({
  database,
  inferenceDayMicrosMax,
  unchargedDayMicrosMax,
}: LedgerDependencies) {
  if (inferenceDayMicrosMax !== undefined)
    await database.query('update inference_cap set micros_max = $1', [inferenceDayMicrosMax])
  if (unchargedDayMicrosMax !== undefined)
    await database.query('update uncharged_cap set micros_max = $1', [unchargedDayMicrosMax])
}

async function voidAbandonedCalls({ database, groupCommit, gatewayNumber, log }: Recovery) {
  let voided = 0
  for (;;) {
    const abandoned = await database.query<OpenCall>('select * from abandoned_calls($1, $2)', [
      abandonedPerRound,
      gatewayNumber,
    ])
    voided += await voidEach(groupCommit, abandoned)
    if (abandoned.length < abandonedPerRound) break
  }
  if (voided > 0) log.info({ voided }, 'Calls that a stopped gateway had left open were voided.')
  return voided
}

async function voidForgottenCalls(recovery: Recovery) {
  const { database, groupCommit, underWay, gatewayNumber, log } = recovery
  const open = await database.query<OpenCall>('select * from open_calls_of($1)', [gatewayNumber])
  const voided = await voidEach(
    groupCommit,
    open.filter(({ id }) => !underWay.has(id)),
  )
  underWay.forgetOld()
  if (voided > 0)
    log.warn({ voided }, 'The database had forgotten the end of calls. They were voided.')
  return voided
}

/**
 * The caller has the answer of a chat before it is settled. A server that took over and lagged behind may not know the
 * call: it is held again then. Any other call fails, because the server does not know what the call has made either.
 */
async function settleForgotten(
  { database, groupCommit }: Recovery,
  hold: Hold,
  settlement: Settlement,
): Promise<SettleOutcome> {
  const unknown = await database.query('select id from unwritten_calls($1) as call (id)', [
    [hold.callId],
  ])
  const isForgotten = unknown.length > 0
  const again = { ...hold, micros: settlement.charged }
  const isHeld = isForgotten && (await groupCommit.hold(again)).outcome === 'held'
  return isHeld ? await groupCommit.settle(settlement) : { outcome: 'gone', available: 0 }
}

interface OpenCall {
  id: string
  account_id: string
}

async function voidEach(groupCommit: GroupCommit, calls: readonly OpenCall[]): Promise<number> {
  const outcomes = await Promise.all(
    calls.map((call) => voidAbandoned(groupCommit, call.id, call.account_id)),
  )
  return outcomes.filter(({ outcome }) => outcome === 'done').length
}

function voidAbandoned(
  groupCommit: GroupCommit,
  callId: string,
  accountId: string,
): Promise<SettleOutcome> {
  return groupCommit.settle({
    callId,
    accountId,
    state: 'voided',
    charged: 0,
    error: 'upstream_error',
    message: 'The gateway stopped before the call ended. Nothing was charged; call again.',
  })
}

/** A transaction without a reply may have been carried out: it is repeated, and undone if no repeat succeeds. */
async function holdJobSurely(
  { database, clock }: LedgerDependencies,
  groupCommit: GroupCommit,
  hold: Hold,
  job: JobHold,
): Promise<HoldOutcome> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await holdJob(database, hold, job)
    } catch (error) {
      if (toCallError(error).code !== 'unavailable') throw error
      if (tries === jobHoldTriesMax) {
        voidAbandoned(groupCommit, hold.callId, hold.accountId).catch(() => {})
        throw error
      }
      await clock.sleep(jobHoldRetryIntervalMs)
    }
  }
}

async function holdJob(
  database: Database,
  hold: Hold,
  { input, atOnceMax, enqueue }: JobHold,
): Promise<HoldOutcome> {
  return await database.transaction(async (client) => {
    await client.query('select 1 from balance where account_id = $1 for update', [hold.accountId])
    const outcome = await holdOn(client, hold, atOnceMax, input)
    if (outcome.outcome === 'held') await enqueue(client)
    return outcome
  })
}

async function holdOn(
  client: ClientBase,
  hold: Hold,
  atOnceMax: number,
  jobInput?: string,
): Promise<HoldOutcome> {
  const { rows } = await client.query<HoldOutcome>(
    'select * from ledger_hold(0, jsonb_populate_record(null::hold_request, $1), $2)',
    [holdRecord(hold, jobInput), atOnceMax],
  )
  const [outcome] = rows
  if (outcome === undefined) throw new Error('PostgreSQL returned no row for a hold.')
  return outcome
}

async function credit(
  on: Database | ClientBase,
  accountId: string,
  micros: Micros,
  reason: string,
): Promise<Micros | null> {
  const statement = 'select ledger_credit($1, $2, $3) as available'
  const values = [accountId, micros, reason]
  const rows: { available: Micros | null }[] =
    'transaction' in on
      ? await on.query(statement, values)
      : (await on.query(statement, values)).rows
  return rows[0]?.available ?? null
}

async function debit(client: ClientBase, accountId: string, micros: Micros, reason: string) {
  const { rows } = await client.query<{ taken: boolean; available: Micros | null }>(
    'select * from ledger_debit($1, $2, $3)',
    [accountId, micros, reason],
  )
  const [debited] = rows
  return debited == null || debited.available === null
    ? null
    : { taken: debited.taken, available: debited.available }
}
