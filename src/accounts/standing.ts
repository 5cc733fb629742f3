// Whether what an account or one of its keys has given out still holds.
import type { Database } from '#platform/database/database.ts'

export interface AccountStanding {
  /** False while the account is frozen, and once the key was revoked or has expired. `keyId` is null for a wallet. */
  isGood(accountId: string, keyId: string | null): Promise<boolean>
}

export function createStanding(database: Database): AccountStanding {
  return {
    async isGood(accountId, keyId) {
      const rows = await database.query(
        `select 1 from account a where a.id = $1 and a.frozen_at is null and ($2::uuid is null or exists (
           select 1 from api_key k where k.id = $2 and k.account_id = a.id and k.revoked_at is null
             and (k.expires_at is null or k.expires_at > now())))`,
        [accountId, keyId],
      )
      return rows.length > 0
    },
  }
}
