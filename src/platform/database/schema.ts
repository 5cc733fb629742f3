// What the rooms keep in the database. A room's folder `schema` has two parts:
//   migrations/NNNN_name.sql  change tables, once each, in the order of their numbers, which all rooms share;
//   functions/*.sql hold the current definition of every function, type, trigger and view, each exactly once. Functions
//   are replaced as a whole when they differ from those in the database: no definition survives its file. They change
//   for all gateways at once.
// Gateways of the version before run on while a newer one upgrades the database, and may start again. So a release
// expands: it adds tables, columns and functions, and keeps what older gateways use. What it no longer uses is removed
// in a later release, by a migration whose name begins with `contract_`: gateways that do not know it must be stopped
// before, and do not start again. Migrations run in one transaction, except those named `online_`.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { CallError } from '#core/errors.ts'
import { errorCodeOf } from '../thrown.ts'
import type { Database } from './database.ts'
import { onlineMigration, runOnlineMigration } from './online-migrations.ts'

export interface Schema {
  /** The `schema` folders of the rooms. A room may use the tables, types and functions of those before it. */
  readonly folders: readonly string[]
  /** Grows with each change of the functions that is committed, so that an older gateway knows that it is older. */
  readonly functionsVersion: number
  /**
   * The oldest version whose gateways can call these functions: each function that they call has the same parameters
   * and results. Default: `functionsVersion`.
   */
  readonly functionsFrom?: number
  /** The PostgreSQL schema that holds all of it. Default: that of the connection. */
  readonly name?: string
}

interface Migration {
  readonly number: number
  readonly name: string
  readonly file: string
}

const migrationName = /^(\d{4})_[a-z0-9_]+\.sql$/
/** Removes what earlier versions use. */
const contraction = /^\d{4}_contract_/
/** Calls queue behind a lock that is waited for, so the upgrade waits briefly, and tries again. */
const lockWaitMs = 2_000
const lockAttemptsMax = 15
/** Between two looks at a migration that another gateway runs. */
const onlinePollMs = 250

/**
 * Brings the database up to date, one gateway at a time. Resolves to what it did. Leaves a newer database as it is, and
 * throws if this version does not work with it.
 */
export async function applySchema(
  database: Database,
  schema: Schema,
  /** Called with the name of a migration that may take long. */
  onOnline: (name: string) => void = () => {},
): Promise<{ migrations: readonly string[]; replacedFunctions: boolean }> {
  const parts = {
    migrations: await readMigrations(schema.folders),
    functions: await readFunctions(schema.folders),
    schema,
  }
  const migrations: string[] = []
  for (;;) {
    const { applied, online, replacedFunctions } = await upgrade(database, parts)
    migrations.push(...applied)
    if (online === undefined) return { migrations, replacedFunctions }
    onOnline(online.name)
    const { name: schemaName } = schema
    while (!(await runOnlineMigration(database, { ...online, schemaName })))
      await delay(onlinePollMs)
    migrations.push(online.name)
  }
}

interface Parts {
  readonly migrations: readonly Migration[]
  readonly functions: Functions
  readonly schema: Schema
}

/** Everything up to the next online migration, in one transaction. The functions come after the last migration. */
async function upgrade(database: Database, { migrations, functions, schema }: Parts) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction(async (client) => {
        await client.query(`select pg_advisory_xact_lock(hashtext('tollway.schema'))`)
        await client.query(`set local lock_timeout = ${lockWaitMs}`)
        if (schema.name !== undefined) {
          const name = client.escapeIdentifier(schema.name)
          await client.query(`create schema if not exists ${name}`)
          await enterSchema(client, schema.name)
        }
        const { applied, online } = await migrate(client, migrations)
        const replacedFunctions =
          online === undefined && (await replaceFunctions(client, functions, schema))
        return { applied, online, replacedFunctions }
      })
    } catch (error) {
      if (attempt === lockAttemptsMax || !lostLock(error)) throw error
    }
  }
}

/** Until the end of the transaction, names without a schema are those of this one. */
export async function enterSchema(client: ClientBase, name: string): Promise<void> {
  await client.query(`set local search_path to ${client.escapeIdentifier(name)}`)
}

/** The migrations of all rooms, in order. Throws when their numbers are not 1, 2, 3 and so on. */
export async function readMigrations(folders: readonly string[]): Promise<readonly Migration[]> {
  const files = (await Promise.all(folders.map((folder) => sqlFiles(folder, 'migrations')))).flat()
  const migrations = files
    .map((file) => {
      const name = path.basename(file)
      const [, digits] = migrationName.exec(name) ?? []
      if (digits === undefined)
        throw new Error(`${file} is not named like a migration: 0001_what_it_does.sql.`)
      return { number: Number(digits), name, file }
    })
    .sort((one, other) => one.number - other.number)
  for (const [index, { number, name }] of migrations.entries()) {
    if (number !== index + 1)
      throw new Error(
        `Migrations are numbered consecutively over all rooms: ${name} must have the number ${index + 1}.`,
      )
  }
  return migrations
}

interface Functions {
  readonly text: string
  readonly sha256: string
}

/** The text of all functions, and its hash. */
export async function readFunctions(folders: readonly string[]): Promise<Functions> {
  const files = (await Promise.all(folders.map((folder) => sqlFiles(folder, 'functions')))).flat()
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const text = texts.join('\n')
  return { text, sha256: createHash('sha256').update(text).digest('hex') }
}

async function sqlFiles(folder: string, part: 'migrations' | 'functions'): Promise<string[]> {
  const names = await readdir(path.join(folder, part)).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => path.join(folder, part, name))
}

/** Resolves to what it applied, and to the online migration that comes next. */
async function migrate(
  client: ClientBase,
  migrations: readonly Migration[],
): Promise<{ applied: readonly string[]; online: Migration | undefined }> {
  await client.query(
    `create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`,
  )
  const { rows } = await client.query<{ name: string }>('select name from migration order by name')
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = rows.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  const contractions = unknown.filter((name) => contraction.test(name))
  if (contractions.length > 0) throw newerDatabase(`its migrations ${contractions.join(', ')}`)
  const applied = new Set(rows.map(({ name }) => name))
  const done: string[] = []
  for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
    const { number, name, file } = migration
    if (number <= applied.size)
      throw new Error(
        `The migration ${name} is older than the last one of the database, ${rows.at(-1)?.name}. Give it the next number.`,
      )
    if (onlineMigration.test(name)) return { applied: done, online: migration }
    await client.query(await readFile(file, 'utf8'))
    await client.query('insert into migration (name) values ($1)', [name])
    done.push(name)
  }
  return { applied: done, online: undefined }
}

/** Resolves to whether the database had other functions. */
async function replaceFunctions(
  client: ClientBase,
  { text, sha256 }: Functions,
  { functionsVersion: version, functionsFrom = version }: Schema,
): Promise<boolean> {
  await client.query(
    `create table if not exists functions_in_place (
       version integer not null, sha256 text not null, removal text[] not null,
       only_row boolean primary key default true check (only_row)
     )`,
  )
  await client.query('alter table functions_in_place add column if not exists works_from integer')
  const { rows } = await client.query<{
    version: number
    worksFrom: number
    sha256: string
    removal: string[]
  }>(
    `select version, coalesce(works_from, version) as "worksFrom", sha256, removal from functions_in_place`,
  )
  const [inPlace] = rows
  if (inPlace !== undefined && inPlace.version > version) {
    if (inPlace.worksFrom <= version) return false
    throw newerDatabase(`version ${inPlace.version} of its functions, only ${version}`)
  }
  if (inPlace?.sha256 === sha256) return false
  for (const statement of inPlace?.removal ?? []) await client.query(statement)
  // The functions call each other, so a body may be read before all that it names is there.
  await client.query('set local check_function_bodies = off')
  await client.query(text)
  await client.query(
    `insert into functions_in_place (version, sha256, removal, works_from) values ($1, $2, $3, $4)
     on conflict (only_row) do update set version = $1, sha256 = $2, removal = $3, works_from = $4`,
    [version, sha256, removalOf(text), functionsFrom],
  )
  return true
}

/** The statements that remove what the text creates, the last first. Throws when it creates something twice. */
function removalOf(text: string): readonly string[] {
  const created = text.matchAll(
    /^create (?:(function|view|type) (\w+)|trigger (\w+)[^;]*? on (\w+))/gm,
  )
  const removal = [...created].map(([, kind, name, trigger, table]) =>
    trigger === undefined ? `drop ${kind} ${name}` : `drop trigger ${trigger} on ${table}`,
  )
  const twice = removal.find((statement, index) => removal.indexOf(statement) !== index)
  if (twice !== undefined) throw new Error(`Defined twice: ${twice.replace('drop ', '')}.`)
  return removal.reverse()
}

function newerDatabase(what: string): Error {
  return new Error(
    `The database was made by a newer version of the gateway: this one does not know ${what}. ` +
      'Start the newer version, or restore the backup that was taken before the upgrade.',
  )
}

/** Whether another session held a lock for too long, or both waited for each other. */
function lostLock(error: unknown): boolean {
  const cause = error instanceof CallError ? error.cause : error
  return ['55P03', '40P01'].includes(errorCodeOf(cause) ?? '')
}
