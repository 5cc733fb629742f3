// Looks API keys and access tokens up by their hash. The lookups of one event-loop turn travel as one statement, and those that arrive while it
// is under way as the next.
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { type ApiKeyHash, bytesOfHash } from './api-key.ts'

export interface KeyRow {
  readonly hash: Buffer
  readonly id: string
  readonly accountId: string
  readonly isLimited: boolean
  readonly limits: string
  readonly isFrozen: boolean
  /** Time until the key or the token expires, from when the database looked. Null when it does not expire. */
  readonly leftMs: number | null
  /** Its last use was recorded more than a minute ago. */
  readonly isStale: boolean
}

/** Resolves to undefined for a key that is unknown, revoked or expired. */
export type FindKey = (hash: ApiKeyHash) => Promise<KeyRow | undefined>

type Waiting = Map<ApiKeyHash, PromiseWithResolvers<KeyRow | undefined>>

const keysPerStatementMax = 500

const findKeys = {
  name: 'authenticate',
  // An access token of an OAuth client leads to the key that was made for the client.
  text: `with shown as (
      select hash, id as key_id, null::timestamptz as expires_at from api_key where hash = any($1)
      union all
      select hash, key_id, expires_at from oauth_record
      where hash = any($1) and kind = 'AccessToken' and expires_at > now()
    ) select s.hash, k.id, k.account_id as "accountId", key_is_limited(k) as "isLimited",
      row(k.call_micros_max, k.day_micros_max, k.month_micros_max, k.actions, k.expires_at)::text as "limits",
      a.frozen_at is not null as "isFrozen",
      (extract(epoch from least(k.expires_at, s.expires_at) - now()) * 1000)::double precision as "leftMs",
      coalesce(k.last_used_at < now() - interval '1 minute', true) as "isStale"
    from shown s join api_key k on k.id = s.key_id join account a on a.id = k.account_id
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
}

export function createKeyLookup({ database, log }: { database: Database; log: Log }): FindKey {
  let waiting: Waiting = new Map()
  let running = false

  async function drain() {
    while (waiting.size > 0) {
      const entries = [...waiting]
      waiting = new Map(entries.slice(keysPerStatementMax))
      await answer(new Map(entries.slice(0, keysPerStatementMax)))
    }
    running = false
  }

  async function answer(batch: Waiting) {
    try {
      const rows = await database.query<KeyRow>(findKeys, [[...batch.keys()].map(bytesOfHash)])
      const byHash = new Map(rows.map((row) => [row.hash.toString('latin1'), row]))
      for (const [hash, found] of batch) found.resolve(byHash.get(hash))
      recordUse(rows.filter(({ isStale, isFrozen }) => isStale && !isFrozen))
    } catch (error) {
      for (const found of batch.values()) found.reject(error)
    }
  }

  function recordUse(rows: readonly KeyRow[]) {
    if (rows.length === 0) return
    database
      .query('update api_key set last_used_at = now() where id = any($1)', [
        rows.map(({ id }) => id),
      ])
      .catch((error) => log.debug({ err: error }, 'The use of an API key was not recorded.'))
  }

  return (hash) => {
    const known = waiting.get(hash)
    if (known !== undefined) return known.promise
    const found = Promise.withResolvers<KeyRow | undefined>()
    waiting.set(hash, found)
    if (!running) {
      running = true
      setImmediate(drain)
    }
    return found.promise
  }
}
