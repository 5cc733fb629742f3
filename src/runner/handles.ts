// Whose the ids are that vendors issue. A gateway has one key for all its callers, so the vendor itself cannot tell.
import type { VendorHandle } from '#core/action.ts'
import type { Database } from '#platform/database/database.ts'

export interface Handles {
  /** Remembers the id as the account's. Repeating it changes nothing. */
  issue(accountId: string, namespace: string, handle: VendorHandle): Promise<void>
  isOwner(accountId: string, namespace: string, handle: VendorHandle): Promise<boolean>
  /** The account's ids of this kind, newest first. */
  list(accountId: string, namespace: string, kind: string): Promise<readonly string[]>
  /** Drops the ids that are older than any vendor keeps what they stand for. */
  forgetOld(): Promise<void>
}

const handleLifetimeDays = 30
const handlesListedMax = 1_000

export function createHandles(database: Database): Handles {
  return {
    async issue(accountId, namespace, { kind, id }) {
      await database.query(
        `insert into vendor_handle (account_id, namespace, kind, id) values ($1, $2, $3, $4) on conflict do nothing`,
        [accountId, namespace, kind, id],
      )
    },
    async isOwner(accountId, namespace, { kind, id }) {
      const rows = await database.query(
        'select 1 from vendor_handle where namespace = $2 and kind = $3 and id = $4 and account_id = $1',
        [accountId, namespace, kind, id],
      )
      return rows.length > 0
    },
    async list(accountId, namespace, kind) {
      const rows = await database.query<{ id: string }>(
        `select id from vendor_handle where account_id = $1 and namespace = $2 and kind = $3
         order by created_at desc limit $4`,
        [accountId, namespace, kind, handlesListedMax],
      )
      return rows.map(({ id }) => id)
    },
    async forgetOld() {
      await database.query(
        `delete from vendor_handle where created_at < now() - $1 * interval '1 day'`,
        [handleLifetimeDays],
      )
    },
  }
}
