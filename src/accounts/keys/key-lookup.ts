// Looks API keys and access tokens up by their hash. The lookups of one event-loop turn travel as one statement, and
// those that arrive while it is under way as the next.
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { type ApiKeyHash, bytesOfHash } from './api-key.ts'

export interface KeyRow {
  readonly hash: Buffer
  readonly id: string
  readonly accountId: string
  readonly isLimited: boolean
  readonly limits: string
  readonly models: readonly string[] | null
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  readonly storesResponses: boolean | null
  readonly priceGroup: string | null
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

const columnsOf = (
  hash: string,
  expiresAt: string,
) => `${hash} as "hash", k.id, k.account_id as "accountId",
  key_is_limited(k) as "isLimited",
  row(k.call_micros_max, k.day_micros_max, k.month_micros_max, k.actions, k.expires_at, k.models, k.requests_per_minute,
    k.tokens_per_minute)::text as "limits",
  k.models, k.requests_per_minute as "requestsPerMinute", k.tokens_per_minute as "tokensPerMinute",
  k.stores_responses as "storesResponses", a.price_group as "priceGroup",
  a.frozen_at is not null as "isFrozen",
  (extract(epoch from ${expiresAt} - now()) * 1000)::double precision as "leftMs",
  coalesce(k.last_used_at < now() - interval '1 minute', true) as "isStale"`

const isValid = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())'

// An access token of an OAuth client leads to the key that was made for the client. Each half reads by its own index:
// one join of both with the keys makes a paid call half as expensive again.
const findKeys = {
  name: 'authenticate',
  text: `select ${columnsOf('k.hash', 'k.expires_at')}
    from api_key k join account a on a.id = k.account_id
    where k.hash = any($1) and ${isValid}
    union all
    select ${columnsOf('t.hash', 'least(k.expires_at, t.expires_at)')}
    from oauth_record t join api_key k on k.id = t.key_id join account a on a.id = k.account_id
    where t.hash = any($1) and t.kind = 'AccessToken' and t.expires_at > now() and ${isValid}`,
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
