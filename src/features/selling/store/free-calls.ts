// The calls of an account that a price rule gives away each day, counted over all gateways. Days are those of UTC.
import type { Database } from '#platform/database/database.ts'

interface FreeCall {
  readonly accountId: string
  /** `service/action`. */
  readonly action: string
  readonly perDay: number
}

export interface FreeCalls {
  areLeft(call: FreeCall): Promise<boolean>
  /** Resolves to the day on which it was taken, as YYYY-MM-DD, or to undefined when none is left. */
  take(call: FreeCall): Promise<string | undefined>
  /** To the day on which it was taken. */
  giveBack(call: FreeCall, day: string): Promise<void>
  forgetOld(): Promise<void>
}

const today = `(now() at time zone 'UTC')::date`

export function createFreeCalls(database: Pick<Database, 'query'>): FreeCalls {
  return {
    async areLeft({ accountId, action, perDay }) {
      const [row] = await database.query<{ calls: number }>(
        `select calls from free_call where account_id = $1 and action = $2 and day = ${today}`,
        [accountId, action],
      )
      return (row?.calls ?? 0) < perDay
    },
    async take({ accountId, action, perDay }) {
      const [taken] = await database.query<{ day: string }>(
        `insert into free_call (account_id, action, day, calls) values ($1, $2, ${today}, 1)
         on conflict (account_id, action, day) do update set calls = free_call.calls + 1
         where free_call.calls < $3 returning day::text as day`,
        [accountId, action, perDay],
      )
      return taken?.day
    },
    async giveBack({ accountId, action }, day) {
      await database.query(
        `update free_call set calls = calls - 1
         where account_id = $1 and action = $2 and day = $3::date and calls > 0`,
        [accountId, action, day],
      )
    },
    async forgetOld() {
      await database.query(`delete from free_call where day < ${today} - 2`)
    },
  }
}
