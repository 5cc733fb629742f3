// A database that forgets, as after a crash that loses the last commits, or after a failover to a server that lags
// behind.
import type { ClientBase } from 'pg'
import type { Database } from '#platform/database/database.ts'

interface Table {
  readonly name: string
  readonly columns: string
  /** Its foreign keys, as clauses of `alter table`: without them, the order of the tables does not matter. */
  readonly unlinked: string | null
  readonly linked: string | null
}

const tablesQuery = `
  select quote_ident(c.relname) as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    (select string_agg(format('drop constraint %I', conname), ', ') from pg_constraint
      where conrelid = c.oid and contype = 'f') as unlinked,
    (select string_agg(format('add constraint %I %s', conname, pg_get_constraintdef(oid)), ', ') from pg_constraint
      where conrelid = c.oid and contype = 'f') as linked
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`

/** Resolves to a function that takes the database back to this moment and breaks all its connections. */
export async function remember(database: Database): Promise<() => Promise<void>> {
  const tables = await database.query<Table>(tablesQuery)
  const all = tables.map(({ name }) => name).join(', ')
  await database.transaction(async (client) => {
    // All tables as of one moment, without waiting for those who write.
    await client.query('set transaction isolation level repeatable read')
    await client.query('drop schema if exists remembered cascade')
    await client.query('create schema remembered')
    for (const { name } of tables)
      await client.query(`create table remembered.${name} as table public.${name}`)
  })
  return () =>
    untilUndisturbed(database, async (client) => {
      // Statements under way end first. Those on new connections wait until this transaction has ended.
      await client.query(`lock table ${all} in access exclusive mode`)
      await restore(client, tables)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    })
}

/** Repeats a transaction that PostgreSQL ended because another one and it waited for each other. */
async function untilUndisturbed(
  database: Database,
  work: (client: ClientBase) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await database.transaction(work)
    } catch (thrown) {
      const { cause } = thrown as { cause?: { code?: string } }
      if (cause?.code !== '40P01') throw thrown
    }
  }
}

async function restore(client: ClientBase, tables: readonly Table[]) {
  for (const { name, unlinked } of tables) {
    if (unlinked !== null) await client.query(`alter table ${name} ${unlinked}`)
    await client.query(`alter table ${name} disable trigger user`)
  }
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  for (const { name, columns } of tables)
    await client.query(
      `insert into ${name} (${columns}) overriding system value select ${columns} from remembered.${name}`,
    )
  for (const { name, linked } of tables) {
    if (linked !== null) await client.query(`alter table ${name} ${linked}`)
    await client.query(`alter table ${name} enable trigger user`)
  }
}
