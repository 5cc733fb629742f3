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

const problemsQuery = `select * from ledger_problem union all select * from payment_problem union all select * from effect_problem
   union all select * from channel_problem union all select * from grant_problem
   limit 100`

export async function verifyBooks(database: Database): Promise<Verification> {
  const problems = await database.query<Problem>(problemsQuery)
  const [counts] = await database.query<{ accounts: number; postings: number }>(
    `select (select count(*) from account) as accounts, (select 2 * count(*) from transfer) as postings`,
  )
  return { ok: problems.length === 0, accounts: 0, postings: 0, ...counts, problems }
}

/** Repairs in the transaction of the client. Without one, tells what a repair would do. */
export function repairBooks(database: Database, client?: ClientBase): Promise<Repair> {
  return client === undefined ? rehearse(database, repairOn) : repairOn(client)
}

async function repairOn(client: ClientBase): Promise<Repair> {
  const corrections = await client.query<Repair['corrections'][number]>(
    'select account_id as "accountId", what, found, repaired from ledger_repair()',
  )
  const remaining = await client.query<Problem>(problemsQuery)
  return { corrections: corrections.rows, remaining: remaining.rows }
}
