// Verifies the books, and mends the accounts whose books are wrong.
import type { ClientBase } from 'pg'
import type { Database } from '#platform/database/database.ts'
import { rehearse } from './rehearsal.ts'

export interface Problem {
  readonly rule: string
  readonly subject: string
  readonly found: string
  readonly expected: string
}

export interface Verification {
  readonly ok: boolean
  /** Postings before this time were not read again. Null: all were. */
  readonly since: Date | null
  readonly accounts: number
  readonly postings: number
  readonly problems: readonly Problem[]
}

export interface Repair {
  readonly corrections: readonly {
    readonly accountId: string
    readonly what: string
    readonly found: string
    readonly repaired: string
  }[]
  /** What `verify` finds afterwards. */
  readonly remaining: readonly Problem[]
}

const problemsQuery = `select * from ledger_problems($1) union all select * from payment_problems($1) union all
   select * from effect_problem union all select * from channel_problem union all select * from grant_problem
   limit 100`

/** `isIncremental`: what was verified before, and found right, is not verified again. */
export async function verifyBooks(
  database: Database,
  { isIncremental }: { readonly isIncremental: boolean } = { isIncremental: false },
): Promise<Verification> {
  const [last] = isIncremental
    ? await database.query<{ at: Date }>('select at from verified_until')
    : []
  const since = last?.at ?? null
  const problems = await database.query<Problem>(problemsQuery, [since])
  const [counts] = await database.query<{ accounts: number; postings: number }>(
    `select (select count(*) from account) as accounts,
       (select 2 * count(*) from transfer where $1::timestamptz is null or created_at >= $1) as postings`,
    [since],
  )
  const ok = problems.length === 0
  if (ok) await database.query('select keep_verified_sums()')
  return { ok, since, accounts: 0, postings: 0, ...counts, problems }
}

/** Repairs in the transaction of the client. Without one, tells what a repair would do. */
export function repairBooks(database: Database, client?: ClientBase): Promise<Repair> {
  return client === undefined ? rehearse(database, repairOn) : repairOn(client)
}

async function repairOn(client: ClientBase): Promise<Repair> {
  const corrections = await client.query<Repair['corrections'][number]>(
    'select account_id as "accountId", what, found, repaired from ledger_repair()',
  )
  const remaining = await client.query<Problem>(problemsQuery, [null])
  return { corrections: corrections.rows, remaining: remaining.rows }
}
