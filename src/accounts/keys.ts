import type { AccountCaller } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { generateApiKey, hashApiKey, isWellFormedApiKey, shownPrefix } from './api-key.ts'

/** What one key may do. Absent means unlimited. */
export interface KeyPolicy {
  readonly name?: string | undefined
  readonly callMicrosMax?: Micros | undefined
  readonly dayMicrosMax?: Micros | undefined
  readonly monthMicrosMax?: Micros | undefined
  /** `service/action` or `service/*`. */
  readonly actions?: readonly string[] | undefined
  readonly expiresAt?: Date | undefined
}

export interface ApiKey {
  readonly id: string
  readonly prefix: string
  readonly name: string | null
  readonly callMicrosMax: Micros | null
  readonly dayMicrosMax: Micros | null
  readonly monthMicrosMax: Micros | null
  readonly actions: readonly string[] | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly createdAt: Date
}

export interface Keys {
  /** Issues a key. The secret is in the answer and nowhere else. */
  create(accountId: string, policy?: KeyPolicy): Promise<{ key: ApiKey; secret: string }>
  list(accountId: string): Promise<ApiKey[]>
  /** Resolves to false when the account has no such key. Revoking twice is revoking once. */
  revoke(accountId: string, keyId: string): Promise<boolean>
  /** Who sends this bearer credential. Throws `invalid_token`. */
  authenticate(secret: string): Promise<AccountCaller>
}

/**
 * How long a key that was valid is taken for valid without asking again. Paid calls do not depend on it: the hold
 * checks the key in the database. A key revoked here is forgotten at once; on another replica, after this time.
 */
const authenticationLifetimeMs = 5_000
const authenticationsMax = 10_000

const keyColumns = `id, prefix, name, call_micros_max as "callMicrosMax", day_micros_max as "dayMicrosMax",
  month_micros_max as "monthMicrosMax", actions, expires_at as "expiresAt", revoked_at as "revokedAt",
  created_at as "createdAt"`

export function createKeys({ database, clock }: { database: Database; clock: Clock }): Keys {
  const known = new Map<string, { caller: AccountCaller; until: number }>()

  return {
    async create(accountId, policy = {}) {
      const secret = generateApiKey()
      const [key] = await database.query<ApiKey>(
        `insert into api_key (id, account_id, hash, prefix, name, call_micros_max, day_micros_max, month_micros_max,
           actions, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${keyColumns}`,
        [
          uuidv7(clock.now()),
          accountId,
          hashApiKey(secret),
          shownPrefix(secret),
          policy.name ?? null,
          policy.callMicrosMax ?? null,
          policy.dayMicrosMax ?? null,
          policy.monthMicrosMax ?? null,
          policy.actions ?? null,
          policy.expiresAt ?? null,
        ],
      )
      if (key === undefined) throw new Error('PostgreSQL returned no row for an inserted key.')
      return { key, secret }
    },
    list: (accountId) =>
      database.query(`select ${keyColumns} from api_key where account_id = $1 order by id desc`, [
        accountId,
      ]),
    async revoke(accountId, keyId) {
      const revoked = await database.query(
        `update api_key set revoked_at = coalesce(revoked_at, now()) where account_id = $1 and id = $2 returning id`,
        [accountId, keyId],
      )
      for (const [hash, { caller }] of known) if (caller.keyId === keyId) known.delete(hash)
      return revoked.length > 0
    },
    async authenticate(secret) {
      if (!isWellFormedApiKey(secret)) throw fail('invalid_token')
      const hash = hashApiKey(secret)
      const hashText = hash.toString('base64')
      const now = clock.now()
      const remembered = known.get(hashText)
      if (remembered !== undefined && remembered.until > now) return remembered.caller
      const [key] = await database.query<{ id: string; account_id: string; is_limited: boolean }>(
        `select id, account_id, num_nonnulls(call_micros_max, day_micros_max, month_micros_max, actions, expires_at) > 0 as is_limited
         from api_key
         where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
        [hash],
      )
      if (key === undefined) throw fail('invalid_token')
      const caller: AccountCaller = {
        kind: 'account',
        accountId: key.account_id,
        keyId: key.id,
        isLimited: key.is_limited,
      }
      if (known.size >= authenticationsMax) known.clear()
      known.set(hashText, { caller, until: now + authenticationLifetimeMs })
      return caller
    },
  }
}
