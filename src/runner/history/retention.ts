// How long records are kept. Old ones are dropped in small steps with pauses, so paid calls are hardly slowed.
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { runEvery } from '#platform/recurring.ts'
import { reportDays } from '../execute/call-reports.ts'
import type { CallRecord } from './calls.ts'

export interface Retention {
  /** Drops all records past their time. Resolves when none are left. */
  sweep(): Promise<void>
  /** Drops the oldest free calls of an account that keeps more than it may. Never rejects. */
  trimFree(accountId: string): Promise<void>
  close(): Promise<void>
}

const dayMs = 24 * 60 * 60_000
const outputDays = 30
const freeCallDays = 1
/** Functions of the database that drop the next rows before a time, and for how many days those rows are kept. */
const drops = [
  // Stored answers and idempotency keys.
  { name: 'forget_outputs', days: outputDays },
  { name: 'forget_kept_answers', days: outputDays },
  // Calls that are free for everyone leave nothing else to remember.
  { name: 'remove_free_calls', days: freeCallDays },
  // Ids that vendors issue. No vendor keeps the objects for longer.
  { name: 'forget_handles', days: 30 },
  // Counts of limits: longer than the month they count and the longest call that began in it.
  { name: 'forget_key_spend', days: 62 },
  // Counts of free calls: longer than the day they count and the longest call that began in it.
  { name: 'forget_free_call_days', days: 3 },
  // What calls without a charge have cost: longer than the day they count.
  { name: 'forget_uncharged', days: 2 },
  { name: 'forget_session_commands', days: 1 },
  // Closed ones. Their calls stay.
  { name: 'forget_sessions', days: 90 },
  // Ended calls of which no gateway has told the hooks of its plugins.
  { name: 'forget_call_reports', days: reportDays },
] as const
const freeCallsPerAccountMax = 100
const rowsPerStep = 500
/** The pause after each step, as a multiple of the step's own duration. */
const pauseFactor = 9
const pauseMsLeast = 100
const firstSweepAfterMs = 60_000
const sweepIntervalMs = 3_600_000

/** Until when the output of a call is kept. The newest free calls of an account may go earlier. */
export function outputUntil({
  createdAt,
  held,
  job,
  withinFreeCalls,
}: Pick<CallRecord, 'createdAt' | 'held' | 'job' | 'withinFreeCalls'>) {
  const days = held === 0 && !job && !withinFreeCalls ? freeCallDays : outputDays
  return new Date(createdAt.getTime() + days * dayMs)
}

export function createRetention({
  database,
  clock,
  log,
  alsoOld,
}: {
  database: Database
  clock: Clock
  log: Log
  /** Other clean-ups, each one short statement. */
  alsoOld: readonly (() => Promise<void>)[]
}): Retention {
  const stopping = new AbortController()

  /** Takes steps until one finds nothing. */
  async function repeat({ name, days }: (typeof drops)[number]) {
    const before = new Date(clock.now() - days * dayMs)
    for (;;) {
      const startedMs = performance.now()
      const [row] = await database.query<{ rows: number }>(`select ${name}($1, $2) as rows`, [
        before,
        rowsPerStep,
      ])
      if (!row?.rows) return
      const tookMs = performance.now() - startedMs
      await delay(Math.max(pauseMsLeast, pauseFactor * tookMs), undefined, {
        signal: stopping.signal,
      })
    }
  }

  async function sweep() {
    for (const drop of drops) await repeat(drop)
    for (const forgetOld of alsoOld) await forgetOld()
  }

  const recurring = runEvery(
    sweepIntervalMs,
    sweep,
    (error) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'Old records will be dropped later.')
    },
    firstSweepAfterMs,
  )

  return {
    sweep,
    async trimFree(accountId) {
      await database
        .query('select trim_free_calls($1, $2)', [accountId, freeCallsPerAccountMax])
        .catch((error) => log.warn({ err: error }, 'Old free calls will be dropped later.'))
    },
    async close() {
      stopping.abort()
      await recurring.close()
    },
  }
}
