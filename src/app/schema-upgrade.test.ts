// What a running installation has in its tables is still there after an upgrade, in the form that the new version
// reads.
import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { applySchema, readMigrations } from '#platform/database/schema.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createEmptyDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { schema } from './schema.ts'

/** A database as the migrations before this one leave it. */
async function openBefore(migration: string) {
  const folder = await makeDataDirectory()
  await Promise.all(['migrations', 'functions'].map((each) => mkdir(path.join(folder, each))))
  const all = await readMigrations(schema.folders)
  const earlier = all.slice(
    0,
    all.findIndex(({ name }) => name.endsWith(`_${migration}.sql`)),
  )
  for (const { name, file } of earlier) await copyFile(file, path.join(folder, 'migrations', name))
  const database = openDatabase({ connectionString: await createEmptyDatabase(), log })
  onTestFinished(database.close)
  await applySchema(database, { folders: [folder], functionsVersion: 0 })
  return { database, upgrade: () => applySchema(database, schema) }
}

test('the browser of a running call ends with it after the upgrade too', async () => {
  const { database, upgrade } = await openBefore('name_browsers')
  const [settled, held] = [crypto.randomUUID(), crypto.randomUUID()]
  await database.query(
    `insert into browser_session (id, account_id, paid_minutes, started_at, expires_at)
     select id, $1, 10, now(), now() + interval '1 day' from unnest(array ['charged', 'running', 'longer']) id`,
    [settled],
  )
  await database.query(
    `insert into effect (call_id, kind, subject, details, place) values
       ($1, 'browser', 'charged', null, ''), ($2, 'browser', 'running', null, ''),
       ($2, 'browser_minutes', 'longer', '{"minutes": 4, "charged": 0}', '')`,
    [settled, held],
  )
  await upgrade()
  await database.query(`select undo_effects_at($1, '')`, [held])
  const left = await database.query('select name, id, paid_minutes from browser_session order by 1')
  expect(left).toEqual([
    { name: 'charged', id: 'charged', paid_minutes: 10 },
    { name: 'longer', id: 'longer', paid_minutes: 6 },
  ])
})

test('a resource that a vendor is to end, or may have to end, is ended after the upgrade too', async () => {
  const { database, upgrade } = await openBefore('vendor_endings')
  const [settled, held] = [crypto.randomUUID(), crypto.randomUUID()]
  await database.query(
    `insert into prepaid_resource (name, service, call_id, ends_at, due_at) values
       ('charged', 'ns_sandbox', $1, now(), null), ('running', 'ns_browser', $2, now(), null),
       ('due', 'ns_sandbox', $2, now(), '2026-01-01T00:00:00Z')`,
    [settled, held],
  )
  await database.query(
    `insert into effect (call_id, kind, subject, place) values
       ($1, 'prepaid_resource', 'charged', ''), ($2, 'prepaid_resource', 'running', '')`,
    [settled, held],
  )
  await upgrade()
  await database.query(`select undo_effects_at($1, '')`, [held])
  const due = await database.query('select name, service, id, due_at from vendor_ending order by 1')
  expect(due).toEqual([
    { name: 'due', service: 'ns_sandbox', id: null, due_at: new Date('2026-01-01T00:00:00Z') },
    { name: 'running', service: 'ns_browser', id: null, due_at: expect.any(Date) },
  ])
})
