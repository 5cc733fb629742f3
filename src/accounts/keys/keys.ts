import type { ClientBase } from 'pg'
import { fail } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { bytesOfHash, generateApiKey, hashApiKey, shownPrefix } from './api-key.ts'
import { untilNoLongerTrusted } from './authentication.ts'

/** The limits of a key. Absent or null means unlimited. */
export interface KeyPolicy {
  readonly name?: string | null | undefined
  readonly callMicrosMax?: Micros | null | undefined
  readonly dayMicrosMax?: Micros | null | undefined
  readonly monthMicrosMax?: Micros | null | undefined
  /** `service/action` or `service/*`. */
  readonly actions?: readonly string[] | null | undefined
  /** Names of language models and tiers. A trailing * matches any ending. */
  readonly models?: readonly string[] | null | undefined
  readonly requestsPerMinute?: number | null | undefined
  readonly tokensPerMinute?: number | null | undefined
  readonly expiresAt?: Date | null | undefined
  /** False: no response of a language model that it asks for is kept. */
  readonly storesResponses?: boolean | null | undefined
}

export interface ApiKey {
  readonly id: string
  readonly prefix: string
  readonly name: string | null
  /** The OAuth client whose tokens lead to the key. Null for a key that its owner holds. */
  readonly clientId: string | null
  /**
   * The key that made it, or with which a person let the app in. Null for the first key, and for those of the operator.
   */
  readonly createdBy: string | null
  /** What signs in as the key. Its secret was thrown away. Null for other keys. */
  readonly signsInBy: 'passkey' | 'email' | null
  readonly callMicrosMax: Micros | null
  readonly dayMicrosMax: Micros | null
  readonly monthMicrosMax: Micros | null
  readonly actions: readonly string[] | null
  readonly models: readonly string[] | null
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  readonly expiresAt: Date | null
  readonly storesResponses: boolean | null
  readonly revokedAt: Date | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  /** Charged and held for its calls of this day and month (UTC). */
  readonly daySpent: Micros
  readonly monthSpent: Micros
}

export interface KeyName {
  readonly name: string
  readonly accountId: string
}

/** The account whose keys are managed, and the key that manages them. Without `keyId` the operator does. */
export interface KeyOwner {
  readonly accountId: string
  readonly keyId?: string | undefined
}

export interface Connection {
  readonly clientId: string
  /** The id of the key, which may be announced before there is one. */
  readonly keyId?: string | undefined
  readonly outer?: ClientBase | undefined
}

export interface Revocation {
  readonly keyId: string
  /** Also the keys and apps that it let in, and those that these let in. */
  readonly withDescendants?: boolean | undefined
  readonly outer?: ClientBase | undefined
}

export interface Keys {
  /**
   * Issues a key, with `client` in its transaction. Only this answer has the secret. Throws `forbidden` when a limited
   * key asks, `invalid_token` and `account_frozen` when the asking key was revoked or its account frozen meanwhile,
   * `bad_request` for an expiry in the past or too many keys, `not_found` without such an account.
   */
  create(
    owner: KeyOwner,
    policy?: KeyPolicy,
    client?: ClientBase,
  ): Promise<{ key: ApiKey; secret: string }>
  /** Makes a key that an OAuth client acts with. It has no secret. Throws as `create`. */
  connect(owner: KeyOwner, policy: KeyPolicy, connection: Connection): Promise<ApiKey>
  /** Throws what `connect` would throw now. */
  requireRoom(owner: KeyOwner, policy: KeyPolicy): Promise<void>
  /**
   * Changes the limits that the policy names. Resolves once no gateway applies the earlier ones: to undefined when the
   * account has no such key, or has revoked it. In a transaction of the caller (`outer`) it resolves at once, and the
   * caller waits for `untilNoLongerTrusted` after the commit. Throws as `create`.
   */
  change(
    owner: KeyOwner,
    keyId: string,
    policy: KeyPolicy,
    outer?: ClientBase,
  ): Promise<ApiKey | undefined>
  /** Newest first, also those that are revoked or expired. `after`: the id of the last key of the page before. */
  list(accountId: string, page: { after?: string | undefined; limit: number }): Promise<ApiKey[]>
  /** The working keys that something signs in as, newest first. */
  listSignInMethods(accountId: string): Promise<ApiKey[]>
  find(accountId: string, keyId: string): Promise<ApiKey | undefined>
  /** Of those among these ids that are keys: their names, or their prefixes without one, and their accounts. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, KeyName>>
  /** The first of these actions that the list of the key does not allow. */
  findForbidden(keyId: string, actions: readonly string[]): Promise<string | undefined>
  /**
   * Resolves once no gateway accepts the key: to the ids of the keys that were revoked now, and to undefined when the
   * account has no such key. Revoking a key again does nothing. With `outer` as `change`. Throws `forbidden`.
   */
  revoke(owner: KeyOwner, revocation: Revocation): Promise<readonly string[] | undefined>
}

const keysPerAccountMax = 100

const keyColumns = `k.id, k.prefix, k.name, k.client_id as "clientId", k.created_by as "createdBy",
  case when exists (select 1 from passkey p where p.key_id = k.id) then 'passkey'
    when exists (select 1 from sign_in_address s where s.key_id = k.id) then 'email' end as "signsInBy",
  k.call_micros_max as "callMicrosMax", k.day_micros_max as "dayMicrosMax",
  k.month_micros_max as "monthMicrosMax", k.actions, k.models, k.requests_per_minute as "requestsPerMinute",
  k.tokens_per_minute as "tokensPerMinute", k.expires_at as "expiresAt",
  k.stores_responses as "storesResponses", k.revoked_at as "revokedAt",
  k.created_at as "createdAt", k.last_used_at as "lastUsedAt",
  key_spent(k.id, 'day') as "daySpent", key_spent(k.id, 'month') as "monthSpent"`

const policyColumns = {
  name: 'name',
  callMicrosMax: 'call_micros_max',
  dayMicrosMax: 'day_micros_max',
  monthMicrosMax: 'month_micros_max',
  actions: 'actions',
  models: 'models',
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  expiresAt: 'expires_at',
  storesResponses: 'stores_responses',
} as const satisfies Record<keyof KeyPolicy, string>

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
}

export function createKeys({ database, clock }: Dependencies): Keys {
  return { ...createIssue({ database, clock }), ...createManagement({ database, clock }) }
}

function refusePast(clock: Clock, { expiresAt }: KeyPolicy) {
  if (expiresAt && expiresAt.getTime() <= clock.now())
    throw fail('bad_request', { message: 'expires_at is in the past. Send a future time.' })
}

type Issue = 'create' | 'connect' | 'requireRoom'

function createIssue({ database, clock }: Dependencies): Pick<Keys, Issue> {
  async function requireRoom(client: ClientBase, { accountId }: KeyOwner, policy: KeyPolicy) {
    refusePast(clock, policy)
    await refuseTooMany(client, accountId)
  }
  const issue = (owner: KeyOwner, issued: NewKey, outer?: ClientBase) =>
    manage(
      database,
      owner,
      async (client) => {
        await requireRoom(client, owner, issued.policy)
        return await insertKey(client, issued.keyId ?? uuidv7(clock.now()), owner, issued)
      },
      outer,
    )
  return {
    async create(owner, policy = {}, outer) {
      const secret = generateApiKey()
      return { key: await issue(owner, { policy, secret }, outer), secret }
    },
    // The secret is thrown away: only the tokens of the client lead to the key.
    connect: (owner, policy, { outer, ...connection }) =>
      issue(owner, { policy, secret: generateApiKey(), ...connection }, outer),
    requireRoom: (owner, policy) =>
      manage(database, owner, (client) => requireRoom(client, owner, policy)),
  }
}

function createManagement({ database, clock }: Dependencies): Omit<Keys, Issue> {
  return {
    async change(owner, keyId, policy, outer) {
      const change = async (client: ClientBase) => {
        refusePast(clock, policy)
        return await updateKey(client, owner, keyId, policy)
      }
      const changed = await manage(database, owner, change, outer)
      if (outer === undefined) await untilNoLongerTrusted()
      return changed
    },
    list: (accountId, { after, limit }) =>
      database.query(
        `select ${keyColumns} from api_key k
         where k.account_id = $1 and ($2::uuid is null or k.id < $2) order by k.id desc limit $3`,
        [accountId, after ?? null, limit],
      ),
    listSignInMethods: (accountId) =>
      database.query(
        `select * from (select ${keyColumns} from api_key k where k.account_id = $1 and key_is_valid(k)) listed
         where "signsInBy" is not null order by id desc`,
        [accountId],
      ),
    async find(accountId, keyId) {
      const [key] = await database.query<ApiKey>(
        `select ${keyColumns} from api_key k where k.account_id = $1 and k.id = $2`,
        [accountId, keyId],
      )
      return key
    },
    async names(ids) {
      const rows = await database.query<KeyName & { id: string }>(
        `select id, coalesce(name, prefix) as name, account_id as "accountId" from api_key where id = any($1)`,
        [[...new Set(ids)]],
      )
      return new Map(rows.map(({ id, ...key }) => [id, key]))
    },
    async findForbidden(keyId, actions) {
      const [found] = await database.query<{ action: string }>(
        `select a.action from api_key k, unnest($2::text[]) with ordinality a (action, place)
         where k.id = $1 and not key_allows(k, a.action) order by a.place limit 1`,
        [keyId, actions],
      )
      return found?.action
    },
    async revoke(owner, { outer, ...revocation }) {
      const revoke = (client: ClientBase) => revokeKeys(client, owner, revocation)
      const revoked = await manage(database, owner, revoke, outer)
      if (outer === undefined) await untilNoLongerTrusted()
      return revoked
    },
  }
}

/**
 * Changes the keys of an account in one transaction. The balance row is locked, so that no call of the account is held
 * or settled meanwhile. The right to manage keys is checked under the same lock, so that it cannot be lost in between.
 */
async function manage<Result>(
  database: Database,
  { accountId, keyId }: KeyOwner,
  work: (client: ClientBase) => Promise<Result>,
  outer?: ClientBase,
): Promise<Result> {
  const inTransaction = async (client: ClientBase) => {
    const { rows } = await client.query<{ isFrozen: boolean }>(
      `select a.frozen_at is not null as "isFrozen" from balance b join account a on a.id = b.account_id
       where b.account_id = $1 and a.kind = 'caller' for update of b`,
      [accountId],
    )
    const [account] = rows
    if (account === undefined) throw fail('not_found', { message: 'There is no such account.' })
    if (keyId !== undefined) {
      if (account.isFrozen) throw fail('account_frozen')
      await requireUnlimited(client, accountId, keyId)
    }
    return await work(client)
  }
  return outer === undefined
    ? await database.transaction(inTransaction)
    : await inTransaction(outer)
}

interface NewKey extends Partial<Pick<Connection, 'clientId' | 'keyId'>> {
  readonly policy: KeyPolicy
  readonly secret: string
}

async function insertKey(
  client: ClientBase,
  id: string,
  owner: KeyOwner,
  { policy, secret, clientId }: NewKey,
): Promise<ApiKey> {
  const { rows } = await client.query<ApiKey>(
    `with k as (
       insert into api_key (id, account_id, created_by, hash, prefix, name, call_micros_max, day_micros_max,
         month_micros_max, actions, expires_at, client_id, stores_responses, models, requests_per_minute,
         tokens_per_minute)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) returning *
     ) select ${keyColumns} from k`,
    [
      id,
      owner.accountId,
      owner.keyId ?? null,
      bytesOfHash(hashApiKey(secret)),
      shownPrefix(secret),
      policy.name ?? null,
      policy.callMicrosMax ?? null,
      policy.dayMicrosMax ?? null,
      policy.monthMicrosMax ?? null,
      policy.actions ?? null,
      policy.expiresAt ?? null,
      clientId ?? null,
      policy.storesResponses ?? null,
      policy.models ?? null,
      policy.requestsPerMinute ?? null,
      policy.tokensPerMinute ?? null,
    ],
  )
  const [key] = rows
  if (key === undefined) throw new Error('PostgreSQL returned no row for an inserted key.')
  return key
}

async function updateKey(
  client: ClientBase,
  { accountId }: KeyOwner,
  keyId: string,
  policy: KeyPolicy,
): Promise<ApiKey | undefined> {
  const changes = Object.entries(policy).filter(([, value]) => value !== undefined)
  const assignments = changes.map(
    ([field], place) => `${policyColumns[field as keyof KeyPolicy]} = $${place + 3}`,
  )
  const { rowCount } = await client.query(
    `update api_key set ${['id = id', ...assignments].join(', ')}
     where account_id = $1 and id = $2 and revoked_at is null`,
    [accountId, keyId, ...changes.map(([, value]) => value)],
  )
  if (rowCount === 0) return undefined
  await client.query('select key_count_spending($1)', [keyId])
  const { rows } = await client.query<ApiKey>(
    `select ${keyColumns} from api_key k where k.id = $1`,
    [keyId],
  )
  return rows[0]
}

async function revokeKeys(
  client: ClientBase,
  { accountId }: KeyOwner,
  { keyId, withDescendants = false }: Revocation,
): Promise<readonly string[] | undefined> {
  const { rows } = await client.query<{ id: string; isNew: boolean }>(
    `with recursive ended as (
       select id, revoked_at from api_key where account_id = $1 and id = $2
       union select k.id, k.revoked_at from api_key k join ended on k.created_by = ended.id where $3 and k.account_id = $1
     ), revoked as (
       update api_key k set revoked_at = now() from ended where k.id = ended.id and k.revoked_at is null
     ) select id, revoked_at is null as "isNew" from ended order by id`,
    [accountId, keyId, withDescendants],
  )
  return rows.length === 0 ? undefined : rows.filter(({ isNew }) => isNew).map(({ id }) => id)
}

async function requireUnlimited(client: ClientBase, accountId: string, keyId: string) {
  const { rows } = await client.query<{ isLimited: boolean }>(
    `select key_is_limited(k) as "isLimited" from api_key k where id = $2 and account_id = $1 and revoked_at is null`,
    [accountId, keyId],
  )
  const [key] = rows
  if (key === undefined) throw fail('invalid_token')
  if (key.isLimited) {
    throw fail('forbidden', {
      message: 'A limited API key cannot manage keys. Use an unlimited key of the account.',
    })
  }
}

async function refuseTooMany(client: ClientBase, accountId: string) {
  const { rows } = await client.query<{ isFull: boolean }>(
    `select count(*) >= $2 as "isFull" from api_key
     where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [accountId, keysPerAccountMax],
  )
  if (rows[0]?.isFull) {
    throw fail('bad_request', {
      message: `This account has ${keysPerAccountMax} keys, the maximum. Revoke one first.`,
    })
  }
}
