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
  // What closes after this was asked is not among the sums that are kept.
  const [closed] = await database.query<{ until: Date }>(
    'select day_begins(first_open_day()) as until',
  )
  const checked = await database.transaction((client) => checkBooks(client, isIncremental))
  if (checked.ok)
    await database.query('select keep_verified_sums($1, $2)', [checked.since, closed?.until])
  return checked
}

/** Another check may move the time from which postings are read, so this one looks at one state of the database. */
async function checkBooks(client: ClientBase, isIncremental: boolean): Promise<Verification> {
  await client.query('set transaction isolation level repeatable read')
  const last = isIncremental
    ? await client.query<{ at: Date }>('select at from verified_until')
    : undefined
  const since = last?.rows[0]?.at ?? null
  const { rows: problems } = await client.query<Problem>(problemsQuery, [since])
  const { rows } = await client.query<{ accounts: number; postings: number }>(
    `select (select count(*) from account) as accounts,
       (select 2 * count(*) from transfer where $1::timestamptz is null or created_at >= $1) as postings`,
    [since],
  )
  return { ok: problems.length === 0, since, accounts: 0, postings: 0, ...rows[0], problems }
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
