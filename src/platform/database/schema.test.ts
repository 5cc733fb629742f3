import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory } from '#test/data-directory.ts'
import { createEmptyDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import { type Database, openDatabase } from './database.ts'
import { applySchema, readMigrations } from './schema.ts'

/** Folders of rooms with these files: `{ 'shop/migrations/0001_shop.sql': 'create table …' }`. */
async function writeRooms(files: Record<string, string>) {
  const root = await makeDataDirectory()
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const rooms = new Set<string>()
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name)
    rooms.add(path.join(root, name.split('/')[0] ?? ''))
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  return [...rooms]
}

async function openEmpty(): Promise<Database> {
  const database = openDatabase({ connectionString: await createEmptyDatabase(), log: silentLog })
  onTestFinished(database.close)
  return database
}

const priceFunction = (returns: string, body: string) =>
  `create function price() returns ${returns} language sql as $$ ${body} $$;`
const shop = {
  'shop/migrations/0001_shop.sql': 'create table item (id integer primary key);',
  'shop/functions/prices.sql': priceFunction('integer', 'select 1'),
}

test('migrations of all rooms run once each, in the order of their numbers', async () => {
  const database = await openEmpty()
  const folders = await writeRooms({
    'orders/migrations/0002_orders.sql': 'create table sale (item integer references item);',
    'orders/migrations/0003_notes.sql': 'alter table sale add column note text;',
    ...shop,
  })
  const schema = { folders, functionsVersion: 1 }
  const first = ['0001_shop.sql', '0002_orders.sql', '0003_notes.sql']
  expect(await applySchema(database, schema)).toEqual({
    migrations: first,
    replacedFunctions: true,
  })
  expect(await applySchema(database, schema)).toEqual({ migrations: [], replacedFunctions: false })
})

test('gateways that start together bring the database up to date once', async () => {
  const database = await openEmpty()
  const schema = { folders: await writeRooms(shop), functionsVersion: 1 }
  const done = await Promise.all([1, 2, 3].map(() => applySchema(database, schema)))
  expect(done.filter(({ replacedFunctions }) => replacedFunctions)).toHaveLength(1)
})

test.each([
  ['a gap', { 'a/migrations/0001_one.sql': '', 'a/migrations/0003_three.sql': '' }, 'number 2'],
  ['a number in two rooms', { 'a/migrations/0001_a.sql': '', 'b/migrations/0001_b.sql': '' }, '2'],
  ['a name without a number', { 'a/migrations/one.sql': '' }, 'is not named like a migration'],
])('%s in the migrations is refused', async (_what, files, message) => {
  await expect(readMigrations(await writeRooms(files))).rejects.toThrow(message)
})

test('a migration older than the last one of the database is refused', async () => {
  const database = await openEmpty()
  const folders = await writeRooms({ ...shop, 'shop/migrations/0002_more.sql': 'select 1;' })
  await applySchema(database, { folders, functionsVersion: 1 })
  await database.query(`delete from migration where name = '0001_shop.sql'`)
  await expect(applySchema(database, { folders, functionsVersion: 1 })).rejects.toThrow(
    '0001_shop.sql is older than the last one of the database, 0002_more.sql',
  )
})

test('changed functions replace the earlier ones, even with other parameters and results, and removed ones are gone', async () => {
  const database = await openEmpty()
  const before = await writeRooms({
    ...shop,
    'shop/functions/views.sql': 'create view cheap as select price() as price;',
    'shop/functions/triggers.sql': `
create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
create trigger refuse before insert on item for each row execute function refuse();`,
  })
  await applySchema(database, { folders: before, functionsVersion: 1 })
  const after = await writeRooms({
    ...shop,
    'shop/functions/prices.sql': priceFunction('text', `select 'dear'`),
  })
  await applySchema(database, { folders: after, functionsVersion: 2 })
  expect(await database.query('select price()')).toEqual([{ price: 'dear' }])
  await database.query('insert into item values (1)')
  await expect(database.query('select * from cheap')).rejects.toThrow('does not exist')
})

test('a duplicate definition is refused, and nothing has changed', async () => {
  const database = await openEmpty()
  const folders = await writeRooms({
    ...shop,
    'shop/functions/again.sql': `${priceFunction('integer', 'select 2').replace('()', '(p integer)')}`,
  })
  await expect(applySchema(database, { folders, functionsVersion: 1 })).rejects.toThrow(
    'Defined twice: function price.',
  )
  await expect(database.query('select * from item')).rejects.toThrow('does not exist')
})

test('an older gateway starts on a database that was only expanded, and leaves it as it is', async () => {
  const database = await openEmpty()
  const newer = await writeRooms({
    ...shop,
    'shop/migrations/0002_more.sql': 'alter table item add column note text;',
    'shop/functions/prices.sql': priceFunction('integer', 'select 2'),
  })
  const older = { folders: await writeRooms(shop), functionsVersion: 1 }
  await applySchema(database, older)
  await applySchema(database, { folders: newer, functionsVersion: 2, functionsFrom: 1 })
  expect(await applySchema(database, older)).toEqual({ migrations: [], replacedFunctions: false })
  expect(await database.query('select price()')).toEqual([{ price: 2 }])
})

test('an older gateway does not start on a database that was contracted', async () => {
  const database = await openEmpty()
  const newer = await writeRooms({
    ...shop,
    'shop/migrations/0002_contract_items.sql': 'alter table item drop column id;',
  })
  await applySchema(database, { folders: newer, functionsVersion: 1 })
  await expect(
    applySchema(database, { folders: await writeRooms(shop), functionsVersion: 1 }),
  ).rejects.toThrow('this one does not know its migrations 0002_contract_items.sql')
})

test('an older gateway does not start, and leaves newer functions in place', async () => {
  const database = await openEmpty()
  await applySchema(database, { folders: await writeRooms(shop), functionsVersion: 2 })
  const older = await writeRooms({
    ...shop,
    'shop/functions/prices.sql': priceFunction('integer', 'select 0'),
  })
  await expect(applySchema(database, { folders: older, functionsVersion: 1 })).rejects.toThrow(
    'The database was made by a newer version of the gateway',
  )
  expect(await database.query('select price()')).toEqual([{ price: 1 }])
})

test('an upgrade does not make calls wait for a long reader: it steps back and tries again', async () => {
  const database = await openEmpty()
  const triggers = `
create function note() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger note before insert on item for each row execute function note();`
  const folders = await writeRooms({ ...shop, 'shop/functions/triggers.sql': triggers })
  await applySchema(database, { folders, functionsVersion: 1 })
  await database.query(`update functions_in_place set sha256 = 'other'`)
  const reader = await database.connect()
  onTestFinished(() => reader.end())
  await reader.query('begin')
  await reader.query('select * from item')
  const upgraded = applySchema(database, { folders, functionsVersion: 2 })
  // Queues behind the upgrade and completes while the reader still reads.
  await expect.poll(() => waitingFor(database, 'drop trigger')).toBe(1)
  await database.query('insert into item values (1)')
  await reader.query('commit')
  expect(await upgraded).toEqual({ migrations: [], replacedFunctions: true })
})

const online = {
  ...shop,
  'shop/migrations/0002_online_by_note.sql': `-- Sales are looked for by their note.
create index concurrently item_by_id on item (id);
create unique index concurrently item_once on item (id);`,
  'shop/migrations/0003_name.sql': 'alter table item add column name text;',
}
const indexesOf = (database: Database) =>
  database.query(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname in ('item_by_id', 'item_once') order by 1`,
  )
const bothIndexes = [
  { name: 'item_by_id', valid: true },
  { name: 'item_once', valid: true },
]

test('an online migration builds its indexes while others write, in its turn, once for all gateways', async () => {
  const database = await openEmpty()
  const folders = await writeRooms(shop)
  await applySchema(database, { folders, functionsVersion: 1 })
  const writer = await database.connect()
  onTestFinished(() => writer.end())
  await writer.query('begin')
  await writer.query('insert into item values (1)')
  const schema = { folders: await writeRooms(online), functionsVersion: 1 }
  const upgrades = [applySchema(database, schema), applySchema(database, schema)]
  // It waits for the writer, and others write meanwhile.
  await expect.poll(() => waitingFor(database, 'create index')).toBe(1)
  await database.query('insert into item values (2)')
  await writer.query('commit')
  const [one] = await Promise.all(upgrades)
  expect(await indexesOf(database)).toEqual(bothIndexes)
  expect(one?.migrations).toContain('0002_online_by_note.sql')
  expect(await database.query('select count(name)::int as named from item')).toEqual([{ named: 0 }])
})

test('an online migration that a kill interrupted is run again, and an unfinished index is built anew', async () => {
  const database = await openEmpty()
  await applySchema(database, { folders: await writeRooms(shop), functionsVersion: 1 })
  await database.query('create index item_by_id on item (id)')
  // Two equal numbers let the unique index fail, and leave it invalid, as a kill does.
  await database.query('alter table item drop constraint item_pkey')
  await database.query('insert into item values (1), (1)')
  const schema = { folders: await writeRooms(online), functionsVersion: 1 }
  await expect(applySchema(database, schema)).rejects.toThrow('item_once')
  expect(await indexesOf(database)).toEqual([
    { name: 'item_by_id', valid: true },
    { name: 'item_once', valid: false },
  ])
  await database.query('delete from item')
  const { migrations } = await applySchema(database, schema)
  expect(migrations).toEqual(['0002_online_by_note.sql', '0003_name.sql'])
  expect(await indexesOf(database)).toEqual(bothIndexes)
})

test('an online migration that would lock is refused by its statement', async () => {
  const database = await openEmpty()
  const folders = await writeRooms({
    ...shop,
    'shop/migrations/0002_online_slow.sql': 'create index item_by_id on item (id);',
  })
  await expect(applySchema(database, { folders, functionsVersion: 1 })).rejects.toThrow(
    '0002_online_slow.sql may build and drop indexes concurrently and validate constraints',
  )
})

async function waitingFor(database: Database, statement: string): Promise<number> {
  const rows = await database.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [`${statement}%`],
  )
  return rows.length
}
