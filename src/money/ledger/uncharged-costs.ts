// What free calls without a row in the ledger cost the operator. The ends of other calls are counted by the database itself.
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'

export interface UnchargedCosts {
  /** Whether the account has caused as much today, without being charged, as it may. */
  isSpent(accountId: string): Promise<boolean>
  note(accountId: string, micros: Micros): Promise<void>
}

export function createUnchargedCosts(database: Database): UnchargedCosts {
  return {
    async isSpent(accountId) {
      const [row] = await database.query<{ spent: boolean }>(
        'select uncharged_is_spent($1) as spent',
        [accountId],
      )
      return row?.spent === true
    },
    async note(accountId, micros) {
      await database.query('select note_uncharged($1, $2)', [accountId, micros])
    },
  }
}
