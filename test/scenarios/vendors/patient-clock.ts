import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '#core/ports.ts'

/**
 * How much faster than real time a sleep passes. Rounds that a gateway repeats would otherwise fill days within a test.
 */
const speed = 50

/** A clock at the day of the recorded exchanges, with which waits for pacing are short. */
export function createPatientClock(): Clock {
  let ahead = Date.parse('2026-09-15T00:00:00Z') - Date.now()
  return {
    now: () => Date.now() + ahead,
    async sleep(delayMs, signal) {
      await delay(delayMs / speed, undefined, signal === undefined ? {} : { signal })
      ahead += delayMs * (1 - 1 / speed)
    },
  }
}
