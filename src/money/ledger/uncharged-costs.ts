// What free calls without a row in the ledger cost the operator. The ends of other calls are counted by the database
// itself.
import type { Micros } from '#core/money.ts'
import type { Database } from '#platform/database/database.ts'

export interface UnchargedCosts {
  /** Whether the account, or its key, has caused as much today, without being charged, as it may. */
  isSpent(by: Causer): Promise<boolean>
  note(by: Causer, micros: Micros): Promise<void>
}

interface Causer {
  readonly accountId: string
  /** Absent for a wallet. */
  readonly keyId?: string | undefined
}

export function createUnchargedCosts(database: Database): UnchargedCosts {
  return {
    async isSpent({ accountId, keyId = null }) {
      const [row] = await database.query<{ state: 'near' | 'spent' | null }>(
        'select uncharged_state($1, $2) as state',
        [accountId, keyId],
      )
      return row?.state === 'spent'
    },
    async note({ accountId, keyId = null }, micros) {
      await database.query('select note_uncharged($1, $2, $3)', [accountId, keyId, micros])
    },
  }
}
