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
  /** Resolves to false when none is left. */
  take(call: FreeCall): Promise<boolean>
  giveBack(call: FreeCall): Promise<void>
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
      const rows = await database.query(
        `insert into free_call (account_id, action, day, calls) values ($1, $2, ${today}, 1)
         on conflict (account_id, action, day) do update set calls = free_call.calls + 1
         where free_call.calls < $3 returning calls`,
        [accountId, action, perDay],
      )
      return rows.length === 1
    },
    async giveBack({ accountId, action }) {
      await database.query(
        `update free_call set calls = calls - 1
         where account_id = $1 and action = $2 and day = ${today} and calls > 0`,
        [accountId, action],
      )
    },
    async forgetOld() {
      await database.query(`delete from free_call where day < ${today} - 2`)
    },
  }
}
