// Proves that a backup can be restored: its database is started apart from the one in use, and looked at.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '#core/ports.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'
import { unpack } from './unpack.ts'

/** Inside the data folder, where there is room for the database and backups leave it out. */
const scratchName = 'restoring-test'
const isOfDatabase = (name: string) => name === 'postgres' || name.startsWith('postgres/')

/**
 * Reads the whole backup, starts the database in it, and resolves to what `look` finds there. Nothing is left of it,
 * and nothing of an earlier test that a kill has interrupted. Rejects when `signal` is aborted.
 */
export async function testRestore<Found>(
  file: string,
  {
    dataDir,
    look,
    signal,
    log,
  }: {
    readonly dataDir: string
    readonly look: (database: Database) => Promise<Found>
    readonly signal: AbortSignal
    readonly log: Log
  },
): Promise<Found> {
  const scratch = path.join(dataDir, scratchName)
  await removeScratch(dataDir)
  // A root gateway runs PostgreSQL as another user, which must be able to enter.
  await mkdir(scratch, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  try {
    await unpack(file, scratch, (name) => {
      signal.throwIfAborted()
      return isOfDatabase(name)
    })
    return await lookInto(scratch, { look, signal, log })
  } finally {
    await removeScratch(dataDir)
  }
}

export const removeScratch = (dataDir: string): Promise<void> =>
  rm(path.join(dataDir, scratchName), { recursive: true, force: true })

async function lookInto<Found>(
  scratch: string,
  { look, signal, log }: Pick<Parameters<typeof testRestore<Found>>[1], 'look' | 'signal' | 'log'>,
): Promise<Found> {
  const server = await startEmbeddedPostgres({ dataDir: scratch, log })
  // A statement that runs ends with its server.
  const stop = () => void server.stop()
  signal.addEventListener('abort', stop)
  try {
    signal.throwIfAborted()
    const { connectionString } = server
    const database = openDatabase({ connectionString, log })
    try {
      return await look(database)
    } finally {
      await database.close()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await server.stop()
  }
}
