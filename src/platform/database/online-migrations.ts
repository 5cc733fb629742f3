// Migrations that lock nothing for long but may run for minutes: an index that is built while gateways write, a
// constraint that is validated. PostgreSQL builds no such index inside a transaction, so each statement stands by
// itself, and runs again if its gateway was killed meanwhile.
import { readFile } from 'node:fs/promises'
import type { Client } from 'pg'
import type { Database } from './database.ts'

/** The names of these migrations: 0075_online_index_vouchers.sql. */
export const onlineMigration = /^\d{4}_online_/

/** What such a migration may say. A repetition of each is harmless. */
const index = /^create (?:unique )?index concurrently (\w+) on /i
const others = [
  /^drop index concurrently if exists \w+$/i,
  /^alter table (?:only )?\w+ validate constraint \w+$/i,
]

/** The statements of an online migration. Throws for one that must run in a transaction, or cannot be repeated. */
export function readOnlineStatements(sql: string, name: string): readonly string[] {
  const statements = sql
    .replaceAll(/--[^\n]*/g, ' ')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
  for (const statement of statements)
    if (![index, ...others].some((form) => form.test(statement)))
      throw new Error(
        `${name} may build and drop indexes concurrently and validate constraints, and nothing else. It says: ${statement}`,
      )
  return statements
}

/**
 * Runs a migration, unless another gateway has done so meanwhile. Resolves to false while another one runs it: waiting
 * for it in a transaction would make the index wait for that transaction.
 */
export async function runOnlineMigration(
  database: Database,
  { name, file, schemaName }: { name: string; file: string; schemaName: string | undefined },
): Promise<boolean> {
  const statements = readOnlineStatements(await readFile(file, 'utf8'), name)
  const session = await database.connect()
  try {
    if (schemaName !== undefined)
      await session.query(`set search_path to ${session.escapeIdentifier(schemaName)}`)
    const { rows } = await session.query<{ isMine: boolean }>(
      `select pg_try_advisory_lock(hashtext('tollway.online-migration')) as "isMine"`,
    )
    if (rows[0]?.isMine !== true) return false
    const done = await session.query('select 1 from migration where name = $1', [name])
    if (done.rows.length > 0) return true
    await session.query('set statement_timeout = 0')
    for (const statement of statements) await run(session, statement)
    await session.query('insert into migration (name) values ($1)', [name])
    return true
  } finally {
    await session.end()
  }
}

async function run(session: Client, statement: string): Promise<void> {
  const [, built] = index.exec(statement) ?? []
  if (built !== undefined) {
    const { rows } = await session.query<{ indisvalid: boolean }>(
      'select indisvalid from pg_index where indexrelid = to_regclass($1)',
      [built],
    )
    const [found] = rows
    if (found?.indisvalid === true) return
    // What a gateway left that was killed while it built.
    if (found !== undefined) await session.query(`drop index concurrently ${built}`)
  }
  await session.query(statement)
}
