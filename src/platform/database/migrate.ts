import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from './database.ts'

const migrationsDirectory = path.join(import.meta.dirname, 'migrations')
const migrationName = /^(\d{4})_[a-z_]+\.sql$/

/** Brings the schema up to date, one replica at a time. Returns the names of the migrations that it ran. */
export async function migrate(database: Database): Promise<string[]> {
  const files = (await readdir(migrationsDirectory))
    .filter((name) => migrationName.test(name))
    .sort()
  return await database.transaction(async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('tollway.migrate'))`)
    await client.query(
      `create table if not exists migration (name text primary key, applied_at timestamptz not null default now())`,
    )
    const { rows } = await client.query<{ name: string }>('select name from migration')
    const applied = new Set(rows.map((row) => row.name))
    const unknown = [...applied].filter((name) => !files.includes(name))
    if (unknown.length > 0) {
      throw new Error(
        `The database was made by a newer version of the gateway: this one does not know ${unknown.join(', ')}. ` +
          'Start the newer version, or restore the backup that was taken before the upgrade.',
      )
    }
    const pending = files.filter((name) => !applied.has(name))
    for (const name of pending) {
      await client.query(await readFile(path.join(migrationsDirectory, name), 'utf8'))
      await client.query('insert into migration (name) values ($1)', [name])
    }
    return pending
  })
}
