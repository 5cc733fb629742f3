// Migrations run while gateways of the version before write.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { onlineMigration, readOnlineStatements } from '#platform/database/online-migrations.ts'
import { readFunctions, readMigrations } from '#platform/database/schema.ts'
import { functionsFrom, schema } from '../../src/app/schema.ts'
import { findBlocking } from './migration-locks.ts'
import { readSignatures } from './signatures.ts'

/** The last migration that was written before this rule: gateways were stopped for an upgrade. */
const baseline = 72

/** The signatures of the version `functionsFrom`. */
const signaturesFile = path.join(import.meta.dirname, '../contract/sql/sql-signatures.json')
const readBefore = (): { version: number; signatures: string[] } => {
  try {
    return JSON.parse(readFileSync(signaturesFile, 'utf8'))
  } catch {
    return { version: 0, signatures: [] }
  }
}
const before = readBefore()

test('no migration blocks the calls of running gateways for long, or removes what they use', async () => {
  const migrations = await readMigrations(schema.folders)
  const later = migrations.filter(({ number }) => number > baseline)
  const found = later.flatMap(({ name, file }) => {
    const sql = readFileSync(file, 'utf8')
    // These say what may run online, and throw for anything else.
    if (onlineMigration.test(name)) return readOnlineStatements(sql, name) && []
    return findBlocking(sql, /^\d{4}_contract_/.test(name)).map((problem) => `${name}: ${problem}`)
  })
  expect(found).toEqual([])
})

test('gateways of the oldest version that may run beside this one find each function as they call it', async () => {
  const { text } = await readFunctions(schema.folders)
  const now = readSignatures(text)
  if (process.env.UPDATE_SNAPSHOTS !== undefined && before.version !== functionsFrom)
    writeFileSync(
      signaturesFile,
      `${JSON.stringify({ version: functionsFrom, signatures: now }, null, 2)}\n`,
    )
  const { version, signatures } = readBefore()
  expect(version).toBe(functionsFrom)
  expect(signatures.length).toBeGreaterThan(50)
  expect(signatures.filter((signature) => !now.includes(signature))).toEqual([])
})

describe('the check of migrations', () => {
  test.each([
    'create index call_by_state on call (state)',
    'create index concurrently call_by_state on call (state)',
    'drop index concurrently call_by_state',
    'CREATE UNIQUE INDEX u ON ONLY transfer (call_id)',
    'alter table call add column id2 uuid default gen_random_uuid()',
    'alter table call add column n bigserial',
    'alter table call add column n bigint generated always as (held + 1) stored',
    'alter table call alter column held type numeric',
    'alter table call alter held set data type numeric',
    'alter table call alter column note set not null',
    'alter table call add constraint positive check (held >= 0)',
    'alter table call add foreign key (account_id) references account',
    'alter table call add column a uuid references account',
    'alter table call add constraint one unique (id)',
    'alter table call add primary key (id)',
    'alter table call validate constraint positive',
    'alter table call drop column note',
    'alter table call rename column note to notes',
    'alter table account drop column name',
    'drop table call',
    'update call set held = 0',
    'delete from transfer where amount = 0',
    'lock table call',
    'do $$ begin update call set held = 0; end $$',
  ])('refuses: %s', (sql) => {
    expect(findBlocking(`-- harmless;\n${sql};`)).toHaveLength(1)
  })

  test.each([
    'create table shelf (id integer primary key); create index shelf_by_id on shelf (id)',
    'alter table call add column note text',
    "alter table call add column note text not null default 'a; b'",
    'alter table call add column seen_at timestamptz not null default now()',
    'alter table call add constraint positive check (held >= 0) not valid',
    'alter table call alter column note drop not null',
    'alter table call alter column note drop default',
    'alter table call drop constraint positive',
    'update account set name = 1',
    'insert into shared_secret (name, value) select 1, 2',
    'alter table call add constraint one unique using index call_one',
  ])('accepts: %s', (sql) => {
    expect(findBlocking(sql)).toEqual([])
  })

  test('accepts in a contraction that a column is dropped', () => {
    expect(findBlocking('alter table call drop column note', true)).toEqual([])
  })
})
