// Who sends an API key. A key that was good counts as good for a moment, and a change that takes a right from a key is
// answered only when that moment has passed: from then on no gateway grants the right, however many share the database. The
// checks of one event-loop turn travel as one statement, and those that arrive while it is under way as the next.
import { setTimeout as delay } from 'node:timers/promises'
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
  /** Until the key ends, from when the database looked. Null when it does not end. */
  readonly leftMs: number | null
  /** Its last use was written down more than a minute ago. */
  readonly isStale: boolean
}

const checksPerStatementMax = 500
/** How long a key that was good counts as good without another look. */
const trustedMs = 250
/** Timers may be a little early. */
const timerMarginMs = 25
const trustedKeysMax = 10_000

/** Resolves when no gateway trusts any more what it read about a key before now. */
export const untilNoLongerTrusted = () => delay(trustedMs + timerMarginMs)

const findKeys = {
  name: 'authenticate',
  text: `select k.hash, k.id, k.account_id as "accountId", key_is_limited(k) as "isLimited",
      row(k.call_micros_max, k.day_micros_max, k.month_micros_max, k.actions, k.expires_at)::text as "limits",
      a.frozen_at is not null as "isFrozen",
      (extract(epoch from k.expires_at - now()) * 1000)::double precision as "leftMs",
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

  const trusted = new Map<string, { caller: AccountCaller; untilMs: number }>()

  function trust(hash: string, caller: AccountCaller, untilMs: number) {
    const [oldest] = trusted.keys()
    if (trusted.size >= trustedKeysMax && oldest !== undefined) trusted.delete(oldest)
    trusted.delete(hash)
    trusted.set(hash, { caller, untilMs })
  }

  return async (secret) => {
    if (!isWellFormedApiKey(secret)) throw fail('invalid_token')
    const hash = hashApiKey(secret)
    const hashText = hash.toString('latin1')
    // The time counts from before the database looks, and by a clock that nobody sets.
    const askedAtMs = performance.now()
    const known = trusted.get(hashText)
    if (known !== undefined && askedAtMs < known.untilMs) return known.caller
    const key = await find(hash)
    if (key === undefined) throw fail('invalid_token')
    if (key.isFrozen) throw fail('account_frozen')
    const caller: AccountCaller = {
      kind: 'account',
      accountId: key.accountId,
      keyId: key.id,
      isLimited: key.isLimited,
      ...(key.isLimited ? { limits: key.limits } : {}),
    }
    trust(hashText, caller, askedAtMs + Math.min(trustedMs, key.leftMs ?? trustedMs))
    return caller
  }
}
