// What is kept of calls, and for how long. It goes in small steps with pauses, so that paid calls hardly notice.
import { setTimeout as delay } from 'node:timers/promises'
import { uuidv7Floor } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export interface Retention {
  /** Drops what is older than it is kept. Resolves when nothing is left to drop for now. */
  sweep(): Promise<void>
  /** Drops the oldest free calls of an account that keeps more than it may. Never rejects. */
  trimFree(accountId: string): Promise<void>
  close(): Promise<void>
}

const dayMs = 24 * 60 * 60_000
/** How long an answer can be given again, and an idempotency key is known. */
const outputDays = 30
/** The same for free calls, which leave nothing else to remember. */
const freeCallDays = 1
const freeCallsPerAccountMax = 100
const callsPerStep = 500
/** After each step the database is left alone for so many times as long as the step took. */
const pauseFactor = 9
const pauseMsLeast = 100
const firstSweepAfterMs = 60_000
const sweepIntervalMs = 3_600_000

export function createRetention({
  database,
  clock,
  log,
  alsoOld,
}: {
  database: Database
  clock: Clock
  log: Log
  /** What else is old: each drops it with one short statement. */
  alsoOld: readonly (() => Promise<void>)[]
}): Retention {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  /** Takes steps until one finds nothing. */
  async function repeat(name: 'forget_outputs' | 'remove_free_calls', days: number) {
    const before = uuidv7Floor(clock.now() - days * dayMs)
    for (;;) {
      const startedMs = performance.now()
      const [row] = await database.query<{ calls: number }>(`select ${name}($1, $2) as calls`, [
        before,
        callsPerStep,
      ])
      if (!row?.calls) return
      const tookMs = performance.now() - startedMs
      await delay(Math.max(pauseMsLeast, pauseFactor * tookMs), undefined, {
        signal: stopping.signal,
      })
    }
  }

  async function sweep() {
    await repeat('forget_outputs', outputDays)
    await repeat('remove_free_calls', freeCallDays)
    for (const forgetOld of alsoOld) await forgetOld()
  }

  function sweepOnTime() {
    running ??= sweep()
      .catch((error) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'Old answers will be dropped later.')
      })
      .finally(() => {
        running = undefined
      })
  }
  const first = setTimeout(sweepOnTime, firstSweepAfterMs).unref()
  const others = setInterval(sweepOnTime, sweepIntervalMs).unref()

  return {
    sweep,
    async trimFree(accountId) {
      await database
        .query('select trim_free_calls($1, $2)', [accountId, freeCallsPerAccountMax])
        .catch((error) => log.warn({ err: error }, 'Old free calls will be dropped later.'))
    },
    async close() {
      clearTimeout(first)
      clearInterval(others)
      stopping.abort()
      await running
    },
  }
}
