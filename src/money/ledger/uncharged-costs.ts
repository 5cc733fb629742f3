// What free calls without a row in the ledger cost the operator. The ends of other calls are counted by the database
// itself.
import { centsToMicros, type Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'

export interface UnchargedCosts {
  /**
   * Counts a call before it runs, in one step with the look at what its account and key have caused today. Undefined:
   * they have caused as much as they may. Otherwise the call's end is told with what it has cost.
   */
  begin(by: Causer): Promise<((micros: Micros) => Promise<void>) | undefined>
  /** Counts what a call has cost that was not expected to. */
  note(by: Causer, micros: Micros): Promise<void>
}

interface Causer {
  readonly accountId: string
  /** Absent for a wallet. */
  readonly keyId?: string | undefined
}

/** What a call counts for until it has ended, or for the day when its gateway dies. */
const countedMicros = centsToMicros(1)

export function createUnchargedCosts(database: Database): UnchargedCosts {
  return {
    async begin({ accountId, keyId = null }) {
      const [row] = await database.query<{ day: string | null }>(
        'select begin_uncharged($1, $2, $3)::text as day',
        [accountId, keyId, countedMicros],
      )
      const day = row?.day ?? undefined
      if (day === undefined) return undefined
      return async (micros) => {
        const change = micros - countedMicros
        await database.query('select end_uncharged($1, $2, $3, $4)', [
          accountId,
          keyId,
          day,
          change,
        ])
      }
    },
    async note({ accountId, keyId = null }, micros) {
      await database.query('select note_uncharged($1, $2, $3)', [accountId, keyId, micros])
    },
  }
}
