import { createHash, randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { uuidv7 } from '#core/id.ts'
import { visibleName } from '#core/input/hidden-characters.ts'
import type { Micros } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

export interface Account {
  readonly id: string
  readonly name: string | null
  readonly ownerEmail: string | null
  readonly available: Micros
  readonly held: Micros
  readonly inFlight: number
  readonly createdAt: Date
}

/** An account as its operator sees it. */
export interface AccountSummary extends Account {
  readonly liveKeys: number
  /** Prefixes of the keys that work. */
  readonly keyPrefixes: readonly string[]
  readonly lastUsedAt: Date | null
  readonly frozenAt: Date | null
  readonly frozenReason: string | null
}

export interface AccountFilter {
  /** An account's id, the prefix of one of its keys, or part of its name or its owner's e-mail address. */
  readonly search?: string | undefined
  readonly isFrozen?: boolean | undefined
  /** The id of the last account on the page before. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface Accounts {
  /** Opens an account with an empty balance. The claim token is shown once and lets a person become its owner. */
  create(
    options?: { name?: string | undefined },
    client?: ClientBase,
  ): Promise<{ accountId: string; claimToken: string }>
  /** With `keyId`, `held` and `inFlight` are those of this key. */
  find(accountId: string, keyId?: string): Promise<Account | undefined>
  summary(accountId: string): Promise<AccountSummary | undefined>
  /** Accounts that pay from a balance, newest first. */
  list(filter: AccountFilter): Promise<AccountSummary[]>
  /** Whether this is an account that pays from a balance. */
  isCaller(accountId: string): Promise<boolean>
  /**
   * Resolves to false when there is no such account. After the commit, `untilNoLongerTrusted` resolves once no gateway
   * accepts a key of the account.
   */
  freeze(accountId: string, reason: string, client: ClientBase): Promise<boolean>
  unfreeze(accountId: string, client: ClientBase): Promise<boolean>
  /** The names of those among these ids that are accounts and have one. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** How many caller accounts there are. */
  count(): Promise<number>
  /** Makes the person with this address the owner. Resolves to undefined when the token is spent or unknown. */
  claim(
    token: string,
    ownerEmail: string,
    client?: ClientBase,
  ): Promise<{ accountId: string } | undefined>
  /** The account of a claim token, until it is claimed. */
  findClaimable(token: string): Promise<{ accountId: string; name: string | null } | undefined>
}

const claimTokenBytes = 24

/** What leases have to spare is not held for any call. */
const amounts = `lateral (
    select spendable(a.id, '{}') as available
  ) spendable, lateral (
    select b.held - (spendable.available - b.available) as held
  ) held`

const summaries = `select a.id, a.name, a.owner_email as "ownerEmail", spendable.available, held.held, b.in_flight as "inFlight",
    a.created_at as "createdAt", a.frozen_at as "frozenAt", a.frozen_reason as "frozenReason",
    coalesce(k.live, 0)::integer as "liveKeys", coalesce(k.prefixes, '{}') as "keyPrefixes", k.last_used_at as "lastUsedAt"
  from account a join balance b on b.account_id = a.id, ${amounts}, lateral (
    select count(*) filter (where is_live) as live, array_agg(prefix order by id desc) filter (where is_live) as prefixes,
      max(last_used_at) as last_used_at
    from (
      select *, revoked_at is null and coalesce(expires_at > now(), true) as is_live from api_key where account_id = a.id
    ) of_account
  ) k
  where a.kind = 'caller'`

export function createAccounts(dependencies: { database: Database; clock: Clock }): Accounts {
  return { ...createReads(dependencies.database), ...createChanges(dependencies) }
}

type Reads = 'names' | 'find' | 'summary' | 'list' | 'isCaller' | 'count' | 'findClaimable'

function createReads(database: Database): Pick<Accounts, Reads> {
  return {
    async find(accountId, keyId) {
      const [account] = await database.query<Account>(
        `select a.id, a.name, a.owner_email as "ownerEmail", spendable.available, a.created_at as "createdAt",
           case when $2::uuid is null then held.held else of_key.held end as held,
           case when $2::uuid is null then b.in_flight else of_key.in_flight end as "inFlight"
         from account a join balance b on b.account_id = a.id, ${amounts}, lateral (
           select coalesce(sum(c.held), 0)::bigint as held, count(*) filter (where not c.job)::integer as in_flight
           from call c where c.state = 'held' and c.account_id = a.id and c.key_id = $2
         ) of_key where a.id = $1`,
        [accountId, keyId ?? null],
      )
      return account
    },
    async summary(accountId) {
      const [account] = await database.query<AccountSummary>(`${summaries} and a.id = $1`, [
        accountId,
      ])
      return account
    },
    list: ({ search, isFrozen, after, limit }) =>
      database.query(
        `${summaries} and ($1::uuid is null or a.id < $1)
           and ($2::boolean is null or (a.frozen_at is not null) = $2)
           and ($3::text is null or a.id::text = lower($3) or strpos(lower(a.name), lower($3)) > 0
             or strpos(lower(a.owner_email), lower($3)) > 0
             or exists (select 1 from api_key of where of.account_id = a.id and of.prefix = $3))
         order by a.id desc limit $4`,
        [after ?? null, isFrozen ?? null, search ?? null, limit],
      ),
    async names(ids) {
      const rows = await database.query<{ id: string; name: string }>(
        `select id, coalesce(name, owner_email) as name from account
         where id = any($1) and coalesce(name, owner_email) is not null`,
        [[...new Set(ids)]],
      )
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    async isCaller(accountId) {
      const rows = await database.query(`select 1 from account where id = $1 and kind = 'caller'`, [
        accountId,
      ])
      return rows.length > 0
    },
    async count() {
      const [row] = await database.query<{ count: number }>(
        `select count(*)::integer as count from account where kind = 'caller'`,
      )
      return row?.count ?? 0
    },
    async findClaimable(token) {
      const [account] = await database.query<{ accountId: string; name: string | null }>(
        `select id as "accountId", name from account where claim_hash = $1 and claimed_at is null`,
        [hashToken(token)],
      )
      return account
    },
  }
}

function createChanges({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): Omit<Accounts, Reads> {
  return {
    async create({ name } = {}, client) {
      const accountId = uuidv7(clock.now())
      const claimToken = randomBytes(claimTokenBytes).toString('base64url')
      const opening = `with opened as (
          insert into account (id, kind, name, claim_hash) values ($1, 'caller', $2, $3) returning id
        ) insert into balance (account_id) select id from opened`
      const values = [accountId, visibleName(name), hashToken(claimToken)]
      await (client === undefined ? database.query(opening, values) : client.query(opening, values))
      return { accountId, claimToken }
    },
    async freeze(accountId, reason, client) {
      const { rowCount } = await client.query(
        `update account set frozen_at = coalesce(frozen_at, now()), frozen_reason = $2 where id = $1 and kind = 'caller'
         returning id`,
        [accountId, reason],
      )
      return rowCount === 1
    },
    async unfreeze(accountId, client) {
      const { rowCount } = await client.query(
        `update account set frozen_at = null, frozen_reason = null where id = $1 and kind = 'caller' returning id`,
        [accountId],
      )
      return rowCount === 1
    },
    async claim(token, ownerEmail, client) {
      const claiming = `update account set owner_email = $2, claimed_at = now()
         where claim_hash = $1 and claimed_at is null returning id as "accountId"`
      const values = [hashToken(token), ownerEmail]
      const [claimed] = await (client === undefined
        ? database.query<{ accountId: string }>(claiming, values)
        : client.query<{ accountId: string }>(claiming, values).then(({ rows }) => rows))
      return claimed
    },
  }
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
