// Describes the tables in a database's own catalog as the statements that would create them.
import type { Database } from '#platform/database/database.ts'

interface Table {
  readonly name: string
  readonly options: string | null
  readonly columns: readonly string[]
  readonly constraints: readonly string[]
  readonly indexes: readonly string[]
}

/** Each table of the schema `public`, by its name. */
export async function describeTables(database: Database): Promise<ReadonlyMap<string, string>> {
  const tables = await database.query<Table>(
    `select c.relname as name, array_to_string(c.reloptions, ', ') as options,
       (select array_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
            || case when a.attidentity = 'a' then ' generated always as identity' else '' end
            || case when a.attnotnull and not a.attnum = any(coalesce(pk.conkey, '{}')) then ' not null' else '' end
            || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') order by a.attnum)
          from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
       (select coalesce(array_agg(pg_get_constraintdef(k.oid) order by k.contype <> 'p', k.conname), '{}')
          from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n') as constraints,
       (select coalesce(array_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid::regclass::text), '{}')
          from pg_index i where i.indrelid = c.oid
            and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)) as indexes
     from pg_class c left join pg_constraint pk on pk.conrelid = c.oid and pk.contype = 'p'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  return new Map(tables.map((table) => [table.name, statementsOf(table)]))
}

function statementsOf({ name, options, columns, constraints, indexes }: Table): string {
  const lines = [...columns, ...constraints].map((line) => `  ${unnamed(line)}`)
  const storage = options ? ` with (${options})` : ''
  return [
    `create table ${name} (\n${lines.join(',\n')}\n)${storage};`,
    ...indexes.map(
      (index) =>
        `${unnamed(index).replace(/^CREATE (UNIQUE )?INDEX/, (head) => head.toLowerCase())};`,
    ),
  ].join('\n')
}

/** Everything is in the schema `public`, so its name is removed. */
const unnamed = (text: string) => text.replaceAll('public.', '')
