import { CallError } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'

const pauseMs = 500

/**
 * Writes how a command ended, again and again while the database is away: the command has run, and only this gateway
 * knows its end. Another failure is thrown.
 */
export async function untilWritten<Value>(
  clock: Clock,
  write: () => Promise<Value>,
): Promise<Value> {
  for (;;) {
    try {
      return await write()
    } catch (thrown) {
      if (!(thrown instanceof CallError) || thrown.code !== 'unavailable') throw thrown
      await clock.sleep(pauseMs)
    }
  }
}
