// Who sends an API key. Each request is checked in the database: a key that is revoked, has ended or belongs to a frozen
// account is refused by the next request at any gateway, which no cache could guarantee. The checks of one event-loop turn
// travel as one statement, and those that arrive while it is under way as the next.
import type { AccountCaller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { hashApiKey, isWellFormedApiKey } from './api-key.ts'

/** Resolves to the caller whose key this is. Throws `invalid_token` and `account_frozen`. */
export type Authenticate = (secret: string) => Promise<AccountCaller>

interface KeyRow {
  readonly hash: Buffer
  readonly id: string
  readonly accountId: string
  readonly isLimited: boolean
  readonly limits: string
  readonly isFrozen: boolean
  /** Its last use was written down more than a minute ago. */
  readonly isStale: boolean
}

const checksPerStatementMax = 500

const findKeys = {
  name: 'authenticate',
  text: `select k.hash, k.id, k.account_id as "accountId", key_is_limited(k) as "isLimited",
      row(k.call_micros_max, k.day_micros_max, k.month_micros_max, k.actions, k.expires_at)::text as "limits",
      a.frozen_at is not null as "isFrozen",
      coalesce(k.last_used_at < now() - interval '1 minute', true) as "isStale"
    from api_key k join account a on a.id = k.account_id
    where k.hash = any($1) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
}

export function createAuthentication({
  database,
  log,
}: {
  database: Database
  log: Log
}): Authenticate {
  let waiting = new Map<string, { hash: Buffer; found: PromiseWithResolvers<KeyRow | undefined> }>()
  let running = false

  /** Asks for the key once, however many requests of this turn carry it. */
  function find(hash: Buffer): Promise<KeyRow | undefined> {
    const text = hash.toString('latin1')
    const known = waiting.get(text)
    if (known !== undefined) return known.found.promise
    const found = Promise.withResolvers<KeyRow | undefined>()
    waiting.set(text, { hash, found })
    if (!running) {
      running = true
      setImmediate(drain)
    }
    return found.promise
  }

  async function drain() {
    while (waiting.size > 0) {
      const entries = [...waiting]
      const batch = entries.slice(0, checksPerStatementMax)
      waiting = new Map(entries.slice(checksPerStatementMax))
      await check(batch.map(([, entry]) => entry))
    }
    running = false
  }

  async function check(
    batch: readonly { hash: Buffer; found: PromiseWithResolvers<KeyRow | undefined> }[],
  ) {
    try {
      const rows = await database.query<KeyRow>(findKeys, [batch.map(({ hash }) => hash)])
      const byHash = new Map(rows.map((row) => [row.hash.toString('latin1'), row]))
      for (const { hash, found } of batch) found.resolve(byHash.get(hash.toString('latin1')))
      noteUse(rows.filter(({ isStale, isFrozen }) => isStale && !isFrozen))
    } catch (error) {
      for (const { found } of batch) found.reject(error)
    }
  }

  function noteUse(rows: readonly KeyRow[]) {
    if (rows.length === 0) return
    database
      .query('update api_key set last_used_at = now() where id = any($1)', [
        rows.map(({ id }) => id),
      ])
      .catch((error) => log.debug({ err: error }, 'The use of a key was not written down.'))
  }

  return async (secret) => {
    if (!isWellFormedApiKey(secret)) throw fail('invalid_token')
    const key = await find(hashApiKey(secret))
    if (key === undefined) throw fail('invalid_token')
    if (key.isFrozen) throw fail('account_frozen')
    return {
      kind: 'account',
      accountId: key.accountId,
      keyId: key.id,
      isLimited: key.isLimited,
      ...(key.isLimited ? { limits: key.limits } : {}),
    }
  }
}
