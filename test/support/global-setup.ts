// One real PostgreSQL server for the whole run, and in it one database that every test copies.
import { rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#platform/database/database.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeDataDirectory } from './data-directory.ts'
import { silentLog } from './silent-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
  }
}

export const templateName = 'tollway_template'

const memoryFolder = '/dev/shm'
const bytesWanted = 2e9

/** Hundreds of databases are made and dropped, and each waits for the disk; in memory that is a tenth of the time. */
async function quickestFolder(): Promise<string> {
  const free = await statfs(memoryFolder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= bytesWanted ? memoryFolder : tmpdir()
}

let stop: () => Promise<void> = async () => {}

export async function setup(project: TestProject) {
  const dataDir = await makeDataDirectory(await quickestFolder())
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const database = openDatabase({ connectionString: server.connectionString, log: silentLog })
  await database.query(`create database ${templateName}`)
  await database.close()
  // A gateway's first start makes all that later ones find: the schema and the queue.
  const config = readConfig({
    DATABASE_URL: databaseNamed(server.connectionString, templateName),
    DATA_DIR: dataDir,
    OPERATOR_CONTACT: 'tests@example.org',
  })
  const app = await createApp({ config, log: silentLog })
  await app.close()
  project.provide('databaseUrl', server.connectionString)
  stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export const teardown = () => stop()

/** The same server, another database. */
export function databaseNamed(connectionString: string, name: string): string {
  return connectionString.replace(/\/[^/?]+(?=\?|$)/, `/${name}`)
}
