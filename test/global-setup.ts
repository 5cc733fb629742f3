// One real PostgreSQL server for the whole run, and in it one migrated database that every test copies.
import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from './data-directory.ts'
import { silentLog } from './silent-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
  }
}

export const templateName = 'tollway_template'

let stop: () => Promise<void> = async () => {}

export async function setup(project: TestProject) {
  const dataDir = await makeDataDirectory()
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const database = openDatabase({ connectionString: server.connectionString, log: silentLog })
  await database.query(`create database ${templateName}`)
  await database.close()
  const template = openDatabase({
    connectionString: databaseNamed(server.connectionString, templateName),
    log: silentLog,
  })
  await migrate(template)
  await template.close()
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
