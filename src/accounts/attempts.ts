// Limits how often something is tried in a window of time. All gateways of the database count together.
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { fail } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'

export interface AttemptLimit {
  /** Tells this count from others. */
  readonly name: string
  readonly attemptsMax: number
  readonly windowSeconds: number
  /** Tells the caller what is limited. The time to wait is added to it. */
  readonly message: string
}

export interface AttemptCounter {
  /**
   * Counts an attempt of `subject`. Throws `rate_limited` until the window ends. In the transaction of `client`, it
   * counts only if that is committed.
   */
  count(limit: AttemptLimit, subject: string, client?: ClientBase): Promise<void>
  forgetOld(): Promise<void>
}

interface Window {
  readonly attempts: number
  readonly leftSeconds: number
}

const countOne = `
  insert into attempt_window as w (hash, attempts, ends_at) values ($1, 1, now() + $2 * interval '1 second')
  on conflict (hash) do update set
    attempts = case when w.ends_at > now() then least(w.attempts, $3) + 1 else 1 end,
    ends_at = case when w.ends_at > now() then w.ends_at else excluded.ends_at end
  returning attempts, ceil(extract(epoch from ends_at - now()))::integer as "leftSeconds"`

export function createAttemptCounter(database: Database): AttemptCounter {
  return {
    async count({ name, attemptsMax, windowSeconds, message }, subject, client) {
      const counted = [hashOf(name, subject), windowSeconds, attemptsMax]
      const [window] =
        client === undefined
          ? await database.query<Window>(countOne, counted)
          : (await client.query<Window>(countOne, counted)).rows
      if (window === undefined || window.attempts <= attemptsMax) return
      const retryAfterSeconds = Math.max(1, window.leftSeconds)
      throw fail('rate_limited', {
        retryAfterSeconds,
        message: `${message} Try again in ${retryAfterSeconds} seconds.`,
      })
    },
    async forgetOld() {
      await database.query('delete from attempt_window where ends_at < now()')
    },
  }
}

const hashOf = (name: string, subject: string) =>
  createHash('sha256')
    .update(JSON.stringify([name, subject]))
    .digest()
