// Tracks which account owns each vendor-issued id. A gateway has one key for all its callers, so the vendor cannot tell
// them apart.
import type { VendorHandle } from '#core/action.ts'
import type { Caller, Owner } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { toCallError } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'

export interface Handles {
  /**
   * Records the id as the caller's. Repeating it keeps the id for longer: it is forgotten 30 days after the last time,
   * unless it names a thing that is kept. With `effect`, an id that the caller did not have before is an effect of the
   * call.
   */
  issue(
    caller: Caller,
    namespace: string,
    handle: VendorHandle,
    effect?: RecordEffect,
  ): Promise<void>
  /**
   * Records that the thing is gone, for all its owners. They still own the id for 30 days, so that they can repeat
   * their calls.
   */
  end(namespace: string, handle: VendorHandle): Promise<void>
  isOwner(owner: Owner, namespace: string, handle: VendorHandle): Promise<boolean>
  /** The owner's ids of this kind, newest first, without things that are gone. */
  list(owner: Owner, namespace: string, kind: string): Promise<readonly string[]>
}

const handlesListedMax = 1_000
/** Stands for the key of a wallet. */
const noKey = '00000000-0000-0000-0000-000000000000'

export function createHandles(database: Database): Handles {
  return {
    async issue(caller, namespace, { kind, id, isKept = false }, effect) {
      const account = caller.accountId
      const key = caller.kind === 'account' ? caller.keyId : noKey
      await database.transaction(async (client) => {
        const { rows } = await client.query<{ isNew: boolean }>(
          `insert into vendor_handle (account_id, namespace, kind, id, key_id, is_kept)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (namespace, kind, id, account_id, key_id) do update set created_at = now(), has_ended = false
           returning xmax = 0 as "isNew"`,
          [account, namespace, kind, id, key, isKept],
        )
        if (!rows[0]?.isNew) return
        const details = { account, key, namespace, kind, id }
        await effect?.(client, {
          kind: 'vendor_id',
          subject: `${namespace}/${kind}/${id}`,
          details,
        })
      })
    },
    async end(namespace, { kind, id }) {
      await database.query(
        `update vendor_handle set is_kept = false, has_ended = true, created_at = now()
         where namespace = $1 and kind = $2 and id = $3`,
        [namespace, kind, id],
      )
    },
    async isOwner({ accountId, keyId }, namespace, { kind, id }) {
      const rows = await database.query(
        `select 1 from vendor_handle where namespace = $2 and kind = $3 and id = $4 and account_id = $1
           and ($5::uuid is null or key_id = $5) limit 1`,
        [accountId, namespace, kind, id, keyId ?? null],
      )
      return rows.length > 0
    },
    async list({ accountId, keyId }, namespace, kind) {
      const rows = await database.query<{ id: string }>(
        `select id from vendor_handle where account_id = $1 and namespace = $2 and kind = $3 and not has_ended
           and ($5::uuid is null or key_id = $5)
         group by id order by max(created_at) desc limit $4`,
        [accountId, namespace, kind, handlesListedMax, keyId ?? null],
      )
      return rows.map(({ id }) => id)
    },
  }
}

/** An order that waits for its buyer to be verified belongs to that caller, who alone can go on with it. */
export async function keepStartedOrder(
  handles: Handles,
  namespace: string,
  thrown: unknown,
  caller: Caller,
) {
  const { code, data } = toCallError(thrown)
  if (code !== 'verification_required') return
  const { order_id: id } = data as { order_id: string }
  await handles.issue(caller, namespace, { kind: 'order', id })
}
