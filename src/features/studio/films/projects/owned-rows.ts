// Rows that belong to an account or a wallet. Those of a limited key are read by that key alone.
import type { ClientBase } from 'pg'
import { type Caller, ownerOf } from '#core/caller.ts'
import type { Effect, RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'

type OwnedTable = 'film_project' | 'film_media'

/** Returns the values for `account_id = $1 and ($2::uuid is null or key_id = $2)`. */
export function ownerValues(caller: Caller): [accountId: string, keyId: string | null] {
  const { accountId, keyId } = ownerOf(caller)
  return [accountId, keyId ?? null]
}

export const keyOf = (caller: Caller) => (caller.kind === 'account' ? caller.keyId : null)

/**
 * Runs `insert` unless the account has as many rows as it may. Exact, because inserts of an account follow one another.
 */
export async function insertWithin(
  database: Database,
  {
    table,
    caller,
    most,
    what,
    effect,
    ...made
  }: Effect & {
    table: OwnedTable
    caller: Caller
    most: number
    what: string
    effect: RecordEffect
  },
  insert: (client: ClientBase) => Promise<unknown>,
): Promise<void> {
  await database.transaction(async (client) => {
    await effect(client, made)
    await client.query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [
      table,
      caller.accountId,
    ])
    const { rows } = await client.query(
      `select count(*)::int as rows from ${table} where account_id = $1`,
      [caller.accountId],
    )
    if (rows[0].rows >= most) {
      throw fail('bad_request', {
        message: `Your account has ${most} ${what}, the most that are kept. Each is forgotten after 30 days without use. Nothing was charged.`,
      })
    }
    await insert(client)
  })
}
