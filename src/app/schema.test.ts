import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { applySchema, readFunctions, readMigrations } from '#platform/database/schema.ts'
import { createEmptyDatabase, createTestDatabase } from '#test/database.ts'
import { describeTables } from '#test/describe-tables.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { roomsWithTables, schema } from './schema.ts'

const source = path.join(import.meta.dirname, '..')
/** The tables that track the schema itself. */
const tracking = ['functions_in_place', 'migration']

test('tables.sql of each room equals the result of its migrations', async () => {
  const database = openDatabase({ connectionString: await createEmptyDatabase(), log })
  onTestFinished(database.close)
  await applySchema(database, schema)
  const tables = await describeTables(database)
  const listed: string[] = [...tracking]
  for (const folder of schema.folders) {
    const created = await tablesOf(folder)
    listed.push(...created)
    const text = [
      '-- The tables of this room as its migrations leave them, where their columns are explained.',
      '-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.',
      ...created.flatMap((name) => tables.get(name) ?? []),
    ].join('\n\n')
    const file = path.join(folder, 'tables.sql')
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(file, `${text}\n`)
    expect(await readFile(file, 'utf8'), 'run with UPDATE_SNAPSHOTS=1').toBe(`${text}\n`)
  }
  expect([...tables.keys()].sort()).toEqual(listed.sort())
})

test('the database can compile every function once all others exist', async () => {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  onTestFinished(database.close)
  const { text } = await readFunctions(schema.folders)
  const functions = text.match(/^create function [\s\S]*?\$\$[\s\S]*?\$\$;/gm) ?? []
  expect(functions.length).toBeGreaterThan(40)
  for (const each of functions) await database.query(each.replace('create', 'create or replace'))
})

test('functions live in functions/, so migrations change nothing but tables', async () => {
  for (const { file } of await readMigrations(schema.folders))
    expect(await readFile(file, 'utf8'), file).not.toMatch(/\b(function|view|trigger)\s+\w+/i)
})

test('every folder `schema` is in the list', async () => {
  const folders = await readdir(source, { recursive: true })
  const found = folders.filter(
    (name) => path.basename(name) === 'schema' && existsSync(path.join(source, name, 'migrations')),
  )
  expect(found.map((name) => path.dirname(name)).sort()).toEqual([...roomsWithTables].sort())
})

/** The tables that the migrations of a room create and do not drop, in order. */
async function tablesOf(folder: string): Promise<string[]> {
  const migrations = await readMigrations(schema.folders)
  const own = migrations.filter(({ file }) => file.startsWith(folder + path.sep))
  const texts = await Promise.all(own.map(({ file }) => readFile(file, 'utf8')))
  const named = (verb: string) =>
    texts.flatMap((text) =>
      [...text.matchAll(RegExp(`^${verb} table (\\w+)`, 'gm'))].map(([, name = '']) => name),
    )
  const dropped = named('drop')
  return named('create').filter((name) => !dropped.includes(name))
}
