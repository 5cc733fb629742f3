// People who operate the gateway. Each has an account of their own, and a role.
import type { ClientBase } from 'pg'
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { Accounts } from '../accounts.ts'
import { type ApiKeyHash, bytesOfHash } from '../keys/api-key.ts'
import type { KeyOwner, Keys } from '../keys/keys.ts'
import type { Operator, OperatorRole } from './role.ts'

export interface ListedOperator {
  readonly accountId: string
  readonly name: string
  readonly role: OperatorRole
  /** What the person can sign in with, each kind once. */
  readonly signsInBy: readonly ('passkey' | 'email' | 'token')[]
  readonly lastUsedAt: Date | null
  readonly frozenAt: Date | null
  readonly createdAt: Date
}

export interface Operators {
  /** All of them by name, or the one with this account, with `client` in its transaction. */
  list(accountId?: string, client?: ClientBase): Promise<readonly ListedOperator[]>
  /** The person who works as the operator with this key. */
  ofKey(hash: ApiKeyHash): Promise<Operator | undefined>
  /** Records that a person works with this key, at most once a minute, without waiting for it. */
  recordUse(hash: ApiKeyHash): void
  /** Opens an account for the person. Resolves to its id and to a key with which they work as the operator. */
  add(
    person: { readonly name: string; readonly role: OperatorRole },
    client: ClientBase,
  ): Promise<{ readonly accountId: string; readonly token: string }>
  /** Resolves to false when there is no such operator, as the next two do. */
  changeRole(accountId: string, role: OperatorRole, client: ClientBase): Promise<boolean>
  /** The account stays, as that of any caller. Its keys that operate are revoked. */
  remove(accountId: string, client: ClientBase): Promise<boolean>
  /** Issues another key with which the person works, and revokes the earlier ones. Undefined: no such operator. */
  renewToken(accountId: string, client: ClientBase): Promise<string | undefined>
}

interface Dependencies {
  readonly database: Database
  readonly accounts: Pick<Accounts, 'create'>
  readonly keys: Pick<Keys, 'create' | 'revoke'>
  readonly log: Log
}

const tokenName = 'Operator'
const recordIntervalMs = 60_000
const recordedMax = 1_000

const listed = `select o.account_id as "accountId", a.name, o.role, a.frozen_at as "frozenAt", o.created_at as "createdAt",
    array(select distinct case when exists (select from passkey p where p.key_id = k.id) then 'passkey'
        when exists (select from sign_in_address s where s.key_id = k.id) then 'email' else 'token' end as kind
      from api_key k where k.account_id = a.id and key_is_valid(k) and key_operates(k) order by kind) as "signsInBy",
    (select max(k.last_used_at) from api_key k where k.account_id = a.id and key_operates(k)) as "lastUsedAt"
  from operator o join account a on a.id = o.account_id`

export function createOperators({ database, accounts, keys, log }: Dependencies): Operators {
  /** When this gateway last recorded a use, by a clock that is never set back. */
  const recordedAtMs = new Map<ApiKeyHash, number>()

  async function issueToken(accountId: string, client: ClientBase): Promise<string> {
    const { key, secret } = await keys.create({ accountId }, { name: tokenName }, client)
    await client.query('insert into operator_key (key_id) values ($1)', [key.id])
    return secret
  }

  async function revokeTokens(accountId: string, client: ClientBase): Promise<void> {
    const { rows } = await client.query<{ id: string }>(
      `select k.id from operator_key o join api_key k on k.id = o.key_id
       where k.account_id = $1 and k.revoked_at is null`,
      [accountId],
    )
    for (const { id: keyId } of rows) await keys.revoke({ accountId }, { keyId, outer: client })
  }

  return {
    async list(accountId, client) {
      const text = `${listed} where $1::uuid is null or o.account_id = $1 order by lower(a.name), a.id`
      const values = [accountId ?? null]
      if (client === undefined) return await database.query<ListedOperator>(text, values)
      return (await client.query<ListedOperator>(text, values)).rows
    },
    async ofKey(hash) {
      const [found] = await database.query<OperatorRow>(
        `select k.account_id as "accountId", a.name, key_role(k) as role
         from api_key k join account a on a.id = k.account_id where k.hash = $1 and key_role(k) is not null`,
        [bytesOfHash(hash)],
      )
      return found && operatorOf(found)
    },
    recordUse(hash) {
      const nowMs = performance.now()
      if (nowMs - (recordedAtMs.get(hash) ?? -recordIntervalMs) < recordIntervalMs) return
      if (recordedAtMs.size >= recordedMax) recordedAtMs.clear()
      recordedAtMs.set(hash, nowMs)
      database
        .query(
          `update api_key set last_used_at = now()
           where hash = $1 and coalesce(last_used_at < now() - interval '1 minute', true)`,
          [bytesOfHash(hash)],
        )
        .catch((error) => log.debug({ err: error }, 'The use of a token was not recorded.'))
    },
    async add({ name, role }, client) {
      const { accountId } = await accounts.create({ name }, client)
      await client.query('insert into operator (account_id, role) values ($1, $2)', [
        accountId,
        role,
      ])
      return { accountId, token: await issueToken(accountId, client) }
    },
    async changeRole(accountId, role, client) {
      const { rowCount } = await client.query(
        'update operator set role = $2 where account_id = $1',
        [accountId, role],
      )
      return rowCount === 1
    },
    async remove(accountId, client) {
      const { rowCount } = await client.query('delete from operator where account_id = $1', [
        accountId,
      ])
      await revokeTokens(accountId, client)
      return rowCount === 1
    },
    async renewToken(accountId, client) {
      const { rowCount } = await client.query(
        'select from operator where account_id = $1 for update',
        [accountId],
      )
      if (rowCount === 0) return undefined
      await revokeTokens(accountId, client)
      return await issueToken(accountId, client)
    },
  }
}

interface OperatorRow {
  readonly accountId: string
  readonly name: string
  readonly role: OperatorRole
}

const operatorOf = ({ role, ...person }: OperatorRow): Operator => ({ role, person })

/**
 * Throws `forbidden` when a key that does not operate would add a way to sign in to an operator's account: the
 * holder of a leaked key could operate by it.
 */
export async function refuseForeignSignIn(
  client: ClientBase,
  { accountId, keyId }: KeyOwner,
): Promise<void> {
  const { rowCount } = await client.query(
    `select from operator o where o.account_id = $1
       and not exists (select from api_key k where k.id = $2 and key_operates(k))`,
    [accountId, keyId ?? null],
  )
  if (rowCount === 0) return
  throw fail('forbidden', {
    message:
      'This account operates the gateway. Sign in with its operator token, a passkey or a mailed link, and add other ways to sign in from there.',
  })
}
