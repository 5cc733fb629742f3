// A PostgreSQL of its own for a simulation, removed at its end.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '#platform/database/database.ts'
import { applySchema } from '#platform/database/schema.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { silentLog } from '#test/silent-log.ts'
import { schema } from '../../../../src/app/schema.ts'
import { findBug, withBug } from '../mutants/plant.ts'
import type { Options } from '../options.ts'
import { openPostgresStore } from './postgres.ts'

export async function startPostgres({ database: url, plant }: Pick<Options, 'database' | 'plant'>) {
  const server = url === undefined ? await startOwn() : { url, stop: async () => {} }
  const database = openDatabase({ connectionString: server.url, log: silentLog })
  await applySchema(database, schema)
  if (plant !== undefined) await plantInFunction(database, plant)
  await database.close()
  const store = await openPostgresStore(server.url)
  return {
    store,
    async stop() {
      await store.close()
      await server.stop()
    },
  }
}

async function startOwn() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'tollway-simulation-'))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  return {
    url: server.connectionString,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Bugs in the SQL replace the function that they are in. Others are planted as their file is loaded. */
async function plantInFunction(database: ReturnType<typeof openDatabase>, name: string) {
  const bug = findBug(name)
  if (!bug.file.endsWith('.sql')) return
  const text = await readFile(path.join(import.meta.dirname, '../../../..', bug.file), 'utf8')
  const planted = withBug(bug, text)
  const place = text.indexOf(bug.find)
  const begin = planted.lastIndexOf('create function', place)
  const end = planted.indexOf('$$;', place)
  const statement = planted
    .slice(begin, end)
    .replace('create function', 'create or replace function')
  await database.query(`${statement}$$`)
}
