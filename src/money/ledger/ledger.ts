// The ledger: two-phase charges (hold, then settle or void), credits, recovery and the proof that the books are right.

import type { ClientBase } from 'pg'
import { toCallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import {
  createGroupCommit,
  type GroupCommit,
  type Hold,
  type HoldOutcome,
  type Settlement,
  type SettleOutcome,
} from './group-commit.ts'
import { holdRecord } from './rows.ts'
import { openTabJournal, readTabJournals } from './tab-journal.ts'
import { openTabTurns, type TabTurns } from './tab-turns.ts'
import { createTabs } from './tabs.ts'

export interface Verification {
  readonly ok: boolean
  readonly accounts: number
  readonly postings: number
  readonly problems: readonly { rule: string; subject: string; found: string; expected: string }[]
}

export interface Ledger {
  /** This process, as the others see whether it lives. */
  readonly gatewayNumber: number
  /** Takes the price of a call out of what the account can spend, or says why not. Claims the idempotency key. */
  hold(hold: Hold): Promise<HoldOutcome>
  /**
   * Holds the price of a job, and calls `enqueue` in the same transaction: either both are there or neither. At most
   * `atOnceMax` jobs of the account and action are open.
   */
  holdJob(
    hold: Hold,
    job: { input: string; atOnceMax: number; enqueue: (client: ClientBase) => Promise<void> },
  ): Promise<HoldOutcome>
  /** What `hold` would say, or `holdJob`, without holding anything. */
  rehearse(hold: Hold, job?: { atOnceMax: number }): Promise<HoldOutcome>
  /** Ends a held call: charges it, gives back the rest, stores the answer. Repeating it changes nothing. */
  settle(settlement: Settlement): Promise<SettleOutcome>
  /** Adds to a balance. Resolves to what is then available, or null when there is no such account. */
  credit(
    accountId: string,
    micros: Micros,
    reason: string,
    client?: ClientBase,
  ): Promise<Micros | null>
  /** Takes from what is available. Null when there is no such account; `taken` is false when that is too little. */
  debit(
    accountId: string,
    micros: Micros,
    reason: string,
    client: ClientBase,
  ): Promise<{ readonly taken: boolean; readonly available: Micros } | null>
  /** Resolves when the database knows of the account's calls and of what they hold, or after a moment. */
  catchUp(accountId: string): Promise<void>
  /** Voids the holds of gateways that are gone and those past their deadline. Resolves to their number. */
  recover(): Promise<number>
  /** Recomputes every balance from its postings. */
  verify(): Promise<Verification>
  close(): Promise<void>
}

const recoveryIntervalMs = 15_000
const abandonedPerRound = 500
const catchUpWaitMsMax = 1_000
const jobHoldTriesMax = 10
const jobHoldRetryIntervalMs = 1_000
/** What an account may be refused for while a tab of its own holds more than it needs. */
const scarcities: ReadonlySet<HoldOutcome['outcome']> = new Set([
  'insufficient',
  'inference_busy',
  'key_limit',
  'too_many_inflight',
])

export async function createLedger(options: {
  database: Database
  clock: Clock
  log: Log
  /** Calls of one account that may run at once. */
  inFlightMax: number
  /** Where calls that ended on a tab stand until the books have them. */
  journalDirectory: string
  /** What one account may spend on language models a day (UTC). Default 10 dollars. */
  inferenceDayMicrosMax?: Micros
}): Promise<Ledger> {
  const { database, log } = options
  const [row] = await database.query<{ number: number }>(
    `select nextval('gateway_number')::integer as number`,
  )
  const gatewayNumber = row?.number ?? 0
  const groupCommit = await createGroupCommit({ ...options, gatewayNumber })
  // Apart from the others, since a batch is on the disk as a whole or not.
  const relaxed = await createGroupCommit({ ...options, gatewayNumber, durable: false })
  const journal = openTabJournal({ directory: options.journalDirectory, gatewayNumber, log })
  const turns = await openTabTurns({ ...options, gatewayNumber })
  const tabs = createTabs({ turns, gatewayNumber, journal, clock: options.clock, log })
  const laneOf = (operation: { relaxed?: boolean | undefined }) =>
    operation.relaxed ? relaxed : groupCommit
  if (options.inferenceDayMicrosMax !== undefined)
    await database.query('update inference_cap set micros_max = $1', [
      options.inferenceDayMicrosMax,
    ])

  async function recover(): Promise<number> {
    let voided = 0
    for (;;) {
      const abandoned = await database.query<{ id: string; account_id: string }>(
        'select * from abandoned_calls($1)',
        [abandonedPerRound],
      )
      const outcomes = await Promise.all(abandoned.map((call) => voidAbandoned(groupCommit, call)))
      voided += outcomes.filter(({ outcome }) => outcome === 'done').length
      if (abandoned.length < abandonedPerRound) break
    }
    if (voided > 0) log.info({ voided }, 'Calls that a stopped gateway had left open were voided.')
    await database.query('select release_abandoned_leases()')
    return voided
  }

  /** Holds; and once more where a tab of the account had more than it needs. */
  async function held(hold: Hold, attempt: () => Promise<HoldOutcome>): Promise<HoldOutcome> {
    const outcome = await attempt()
    const isScarce = scarcities.has(outcome.outcome)
    return isScarce && (await tabs.recall(hold.accountId)) ? await attempt() : outcome
  }

  /** A call whose amount is reserved needs nothing else but its idempotency key. */
  async function claimed(hold: Hold): Promise<HoldOutcome> {
    if (hold.idempotencyKey === undefined) return { outcome: 'held', available: 0 }
    let outcome: HoldOutcome | undefined
    try {
      outcome = await relaxed.hold({ ...hold, onLease: true })
      return outcome
    } finally {
      if (outcome?.outcome !== 'held') tabs.release(hold.callId)
    }
  }

  /** A transaction whose reply was lost may have been carried out: it is repeated, or else undone. */
  async function holdJobSurely(hold: Hold, job: Parameters<Ledger['holdJob']>[1]) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await holdJob(database, hold, job)
      } catch (error) {
        if (toCallError(error).code !== 'unavailable') throw error
        if (tries === jobHoldTriesMax) {
          voidAbandoned(groupCommit, { id: hold.callId, account_id: hold.accountId }).catch(
            () => {},
          )
          throw error
        }
        await options.clock.sleep(jobHoldRetryIntervalMs)
      }
    }
  }

  async function catchUp(accountId: string) {
    await Promise.race([tabs.recall(accountId), options.clock.sleep(catchUpWaitMsMax)])
  }

  await replayJournals(options, turns)
  await recover()
  const timer = setInterval(() => {
    recover().catch((error) => log.warn({ err: error }, 'Recovery will be tried again.'))
  }, recoveryIntervalMs).unref()

  return {
    gatewayNumber,
    hold: async (hold) =>
      hold.onTab && tabs.reserve(hold)
        ? await claimed(hold)
        : await held(hold, () => laneOf(hold).hold(hold)),
    settle: (settlement) => tabs.end(settlement) ?? laneOf(settlement).settle(settlement),
    recover,
    holdJob: (hold, job) => held(hold, () => holdJobSurely(hold, job)),
    rehearse: (hold, job) =>
      held(hold, () =>
        rehearse(database, (client) =>
          job === undefined
            ? holdOn(client, hold, options.inFlightMax)
            : holdOn(client, hold, job.atOnceMax, '{}'),
        ),
      ),
    catchUp,
    async credit(accountId, micros, reason, client) {
      const statement = 'select ledger_credit($1, $2, $3) as available'
      const values = [accountId, micros, reason]
      const rows =
        client === undefined
          ? await database.query<{ available: Micros | null }>(statement, values)
          : (await client.query<{ available: Micros | null }>(statement, values)).rows
      return rows[0]?.available ?? null
    },
    async debit(accountId, micros, reason, client) {
      // What is spare on the account's tabs is available too.
      await catchUp(accountId)
      const { rows } = await client.query<{ taken: boolean; available: Micros | null }>(
        'select * from ledger_debit($1, $2, $3)',
        [accountId, micros, reason],
      )
      const [debited] = rows
      return debited == null || debited.available === null
        ? null
        : { taken: debited.taken, available: debited.available }
    },
    async verify() {
      const problems = await database.query<Verification['problems'][number]>(
        'select * from ledger_problem union all select * from payment_problem limit 100',
      )
      const [counts] = await database.query<{ accounts: number; postings: number }>(
        `select (select count(*) from account) as accounts, (select 2 * count(*) from transfer) as postings`,
      )
      return { ok: problems.length === 0, accounts: 0, postings: 0, ...counts, problems }
    },
    async close() {
      clearInterval(timer)
      await Promise.all([groupCommit.close(), relaxed.close(), tabs.close()])
    },
  }
}

/** What gateways that were killed had on file and not in the books. */
async function replayJournals(
  options: { database: Database; journalDirectory: string; log: Log },
  turns: TabTurns,
) {
  const { database, log } = options
  for (const { gatewayNumber, lines, remove } of await readTabJournals(options.journalDirectory)) {
    const [row] = await database.query<{ lives: boolean }>('select gateway_lives($1) as lives', [
      gatewayNumber,
    ])
    if (row?.lives) continue
    for (const line of lines) {
      await turns
        .replay(line)
        .catch((error) =>
          log.error({ err: error, call: line }, 'A call on file could not be written.'),
        )
    }
    await remove()
  }
}

function voidAbandoned(
  groupCommit: GroupCommit,
  call: { id: string; account_id: string },
): Promise<SettleOutcome> {
  return groupCommit.settle({
    callId: call.id,
    accountId: call.account_id,
    state: 'voided',
    charged: 0,
    error: 'upstream_error',
    message: 'The gateway stopped before the call ended. Nothing was charged; call again.',
  })
}

async function holdJob(
  database: Database,
  hold: Hold,
  { input, atOnceMax, enqueue }: Parameters<Ledger['holdJob']>[1],
): Promise<HoldOutcome> {
  return await database.transaction(async (client) => {
    await client.query('select 1 from balance where account_id = $1 for update', [hold.accountId])
    const outcome = await holdOn(client, hold, atOnceMax, input)
    if (outcome.outcome === 'held') await enqueue(client)
    return outcome
  })
}

/** The very function that holds, in a transaction that is rolled back: the verdict cannot differ from the real one. */
async function rehearse(
  database: Database,
  hold: (client: ClientBase) => Promise<HoldOutcome>,
): Promise<HoldOutcome> {
  let verdict: HoldOutcome | undefined
  const undo = new Error('rehearsed')
  await database
    .transaction(async (client) => {
      verdict = await hold(client)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  if (verdict === undefined) throw new Error('A rehearsed hold had no outcome.')
  return verdict
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
