// People who are signed in with a browser: to an account, as the operator, or both. The browser keeps a token in a
// cookie; the database knows only its hash. Rights of the operator count for as long as the gateway has the same
// `ADMIN_TOKEN`: who knew an earlier one is not let in any more.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import type { Database } from '#platform/database/database.ts'
import { type ApiKeyHash, bytesOfHash, hashOfBytes } from '../keys/api-key.ts'
import { type Operator, type OperatorRole, tokenHolder } from '../operators/role.ts'

/** What a person who signs in may use. At least one of the two. */
export interface SignInRights {
  /** As the holder of `ADMIN_TOKEN`. */
  readonly isOperator: boolean
  /** The API key that requests of the browser count as. */
  readonly keyHash?: ApiKeyHash | undefined
}

export interface BrowserSignIn {
  /** By `ADMIN_TOKEN`, or as the person whose account it is. Undefined: the browser does not operate the gateway. */
  readonly operator?: Operator | undefined
  readonly keyHash?: ApiKeyHash | undefined
  /** Of the key. */
  readonly account?: { readonly id: string; readonly name: string } | undefined
  /** False: its key was revoked or has expired, and it operates nothing. */
  readonly isUsable: boolean
  readonly expiresAt: Date
}

/** A link that a person opens. */
export interface ShownLink {
  readonly token: string
  /** The secret of their browser, if it has one. */
  readonly browser?: string | undefined
}

export interface SignIns {
  /**
   * Signs in. `earlierToken` is that of the same browser: it ends, and rights that the new sign-in lacks pass on to it.
   * One to another account stays as it is.
   */
  open(
    rights: SignInRights,
    earlierToken?: string,
  ): Promise<{ readonly token: string; readonly signIn: BrowserSignIn }>
  /** Undefined once it has ended. Its key may be revoked or its account frozen all the same. */
  find(token: string): Promise<BrowserSignIn | undefined>
  end(token: string): Promise<void>
  /** Ends every sign-in to the same account and, for the operator, every sign-in of the operator. */
  endEverywhere(token: string): Promise<void>
  /** Resolves to the token of a link that signs in once. */
  issueLink(
    rights: SignInRights,
    lifetimeSeconds: number,
    options?: {
      /** The secret of the only browser in which it works. */
      readonly browser?: string | undefined
      /** In its transaction. */
      readonly client?: ClientBase | undefined
    },
  ): Promise<string>
  /** Signs in by a link. Undefined when it was used, has expired, is another browser's, or never existed. */
  openByLink(
    link: ShownLink,
    earlierToken?: string,
  ): Promise<{ readonly token: string; readonly signIn: BrowserSignIn } | undefined>
  /** Whom a link that works signs in. It is not used. */
  findLink(
    link: ShownLink,
  ): Promise<
    { readonly isOperator: boolean; readonly account: BrowserSignIn['account'] } | undefined
  >
  forgetOld(): Promise<void>
}

const tokenBytes = 32
const signInDays = 7

interface Row {
  readonly isOperator: boolean
  readonly keyHash: Buffer | null
  readonly role: OperatorRole | null
  readonly accountId: string | null
  readonly accountName: string | null
  readonly keyIsValid: boolean | null
  readonly expiresAt: Date
}

export function createSignIns(database: Database, adminToken: string): SignIns {
  const proofOf: ProofOf = (secret) => createHmac('sha256', adminToken).update(secret).digest()

  async function open(rights: SignInRights, earlierToken?: string) {
    const token = generateToken()
    const [row] = await database.query<Row>(
      `with earlier as (
         delete from sign_in s where hash = $4 and (s.key_id is null or $3::bytea is null
           or (select account_id from api_key where id = s.key_id) = (select account_id from api_key where hash = $3))
         returning *
       ), opened as (
         insert into sign_in (hash, is_operator, operator_proof, key_id, expires_at)
         select $1, $2 or may_operate, case when $2 or may_operate then $6::bytea end, coalesce(k.id, e.key_id),
           now() + $5 * interval '1 day'
         from (select) one
           left join earlier e on e.expires_at > now()
           left join api_key k on k.hash = $3
           cross join lateral (select coalesce(${isProven('e', '$7')}, false) as may_operate) asked
         returning *
       ) select ${columns('$6')} from opened s ${joins}`,
      [
        hashOf(token),
        rights.isOperator,
        hashBytes(rights),
        hashOf(earlierToken ?? ''),
        signInDays,
        proofOf(token),
        proofOf(earlierToken ?? ''),
      ],
    )
    if (row === undefined) throw new Error('PostgreSQL returned no row for a new sign-in.')
    return { token, signIn: signInOf(row) }
  }

  return {
    open,
    ...createLinks(database, open, proofOf),
    async find(token) {
      const [row] = await database.query<Row>(
        `select ${columns('$2')} from sign_in s ${joins}
         where s.hash = $1 and s.expires_at > now() and (s.key_id is not null or ${isProven('s', '$2')})`,
        [hashOf(token), proofOf(token)],
      )
      return row && signInOf(row)
    },
    async end(token) {
      await database.query('delete from sign_in where hash = $1', [hashOf(token)])
    },
    async endEverywhere(token) {
      await database.query(
        `with asked as (
           select ${isProven('s', '$2')} as is_operator, k.account_id
           from sign_in s left join api_key k on k.id = s.key_id where s.hash = $1
         ) delete from sign_in s using asked
         where s.is_operator and asked.is_operator
           or s.key_id in (select id from api_key where account_id = asked.account_id)`,
        [hashOf(token), proofOf(token)],
      )
    },
    async forgetOld() {
      await database.query('delete from sign_in where expires_at < now()')
      await database.query('delete from sign_in_link where expires_at < now()')
    },
  }
}

function createLinks(
  database: Database,
  open: SignIns['open'],
  proofOf: ProofOf,
): Pick<SignIns, 'issueLink' | 'openByLink' | 'findLink'> {
  return {
    async issueLink(rights, lifetimeSeconds, { browser, client } = {}) {
      const link = generateToken()
      const insert = `insert into sign_in_link (hash, is_operator, key_id, expires_at, browser_hash, operator_proof)
         values ($1, $2, (select id from api_key where hash = $3), now() + $4 * interval '1 second', $5, $6)`
      const row = [
        hashOf(link),
        rights.isOperator,
        hashBytes(rights),
        lifetimeSeconds,
        browser === undefined ? null : hashOf(browser),
        rights.isOperator ? proofOf(link) : null,
      ]
      await (client === undefined ? database.query(insert, row) : client.query(insert, row))
      return link
    },
    async openByLink(shown, earlierToken) {
      const [used] = await database.query<{ isOperator: boolean; keyHash: Buffer | null }>(
        `with used as (delete from sign_in_link l where ${linkWorks} returning *)
         select s.is_operator as "isOperator", k.hash as "keyHash" from used s left join api_key k on k.id = s.key_id`,
        linkValues(shown, proofOf),
      )
      return used && (await open({ ...used, keyHash: keyHashOf(used) }, earlierToken))
    },
    async findLink(shown) {
      const [link] = await database.query<Pick<Row, 'isOperator' | 'accountId' | 'accountName'>>(
        `select s.is_operator as "isOperator", a.id as "accountId", a.name as "accountName"
         from (select * from sign_in_link l where ${linkWorks}) s ${joins}`,
        linkValues(shown, proofOf),
      )
      return link && { isOperator: link.isOperator, account: accountOf(link) }
    },
  }
}

/** Of a sign-in by its token, or of a link by its own. */
type ProofOf = (secret: string) => Buffer

/** Whether a sign-in or link operates the gateway, by the proof that it must have. */
const isProven = (row: string, proof: string) =>
  `(${row}.is_operator and ${row}.operator_proof is not distinct from ${proof}::bytea)`

const linkWorks = `l.hash = $1 and l.expires_at > now() and (l.browser_hash is null or l.browser_hash = $2)
  and (not l.is_operator or ${isProven('l', '$3')})`

const linkValues = ({ token, browser = '' }: ShownLink, proofOf: ProofOf) => [
  hashOf(token),
  hashOf(browser),
  proofOf(token),
]

const columns = (
  proof: string,
) => `${isProven('s', proof)} as "isOperator", k.hash as "keyHash", key_role(k) as "role",
  a.id as "accountId", a.name as "accountName", key_is_valid(k) as "keyIsValid", s.expires_at as "expiresAt"`

const joins = 'left join api_key k on k.id = s.key_id left join account a on a.id = k.account_id'

const keyHashOf = ({ keyHash }: { readonly keyHash: Buffer | null }) =>
  keyHash === null ? undefined : hashOfBytes(keyHash)

function signInOf(row: Row): BrowserSignIn {
  const operator = operatorOf(row)
  return {
    operator,
    keyHash: keyHashOf(row),
    account: accountOf(row),
    isUsable: operator !== undefined || row.keyIsValid === true,
    expiresAt: row.expiresAt,
  }
}

const accountOf = ({ accountId, accountName }: Pick<Row, 'accountId' | 'accountName'>) =>
  accountId === null ? undefined : { id: accountId, name: accountName ?? accountId }

/** A person who also knows `ADMIN_TOKEN` acts with its role, and under their own name. */
function operatorOf({ isOperator, role, accountId, accountName }: Row): Operator | undefined {
  if (role === null || accountId === null) return isOperator ? tokenHolder : undefined
  return {
    role: isOperator ? tokenHolder.role : role,
    person: { accountId, name: accountName ?? accountId },
  }
}

const hashBytes = ({ keyHash }: SignInRights) =>
  keyHash === undefined ? null : bytesOfHash(keyHash)

const generateToken = () => randomBytes(tokenBytes).toString('base64url')

const hashOf = (token: string) => createHash('sha256').update(token).digest()
