// What a database has written, and the bytes that its tables and indexes have.
import type { Database } from '#platform/database/database.ts'

export interface Written {
  readonly walBytes: number
  readonly walRecords: number
  readonly fullPages: number
  readonly transactions: number
  readonly relations: ReadonlyMap<string, number>
}

export const storedBytes = ({ relations }: Written): number =>
  [...relations.values()].reduce((total, bytes) => total + bytes, 0)

export async function readWritten(database: Database): Promise<Written> {
  await database.query('select pg_stat_force_next_flush()')
  const [wal] = await database.query<{
    bytes: number
    records: number
    pages: number
    xacts: number
  }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as bytes, wal_records as records, wal_fpi as pages,
       (select xact_commit from pg_stat_database where datname = current_database()) as xacts
     from pg_stat_wal`,
  )
  const relations = await database.query<{ name: string; bytes: number }>(
    `select c.relname as name, pg_relation_size(c.oid) + coalesce(pg_relation_size(nullif(c.reltoastrelid, 0)), 0) as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'i') and n.nspname = 'public' order by 1`,
  )
  return {
    walBytes: wal?.bytes ?? 0,
    walRecords: wal?.records ?? 0,
    fullPages: wal?.pages ?? 0,
    transactions: wal?.xacts ?? 0,
    relations: new Map(relations.map(({ name, bytes }) => [name, bytes])),
  }
}
