import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { databaseNamed, templateName } from './global-setup.ts'
import { starts } from './reporters/starts.ts'
import { silentLog } from './silent-log.ts'

/** Registers a function to run at the end of the test, or of all tests that share something. */
export type AtEnd = (work: () => Promise<void>) => void

/** A copy of the database of a gateway that has started once, dropped when the test ends. */
export function createTestDatabase(atEnd: AtEnd = onTestFinished): Promise<string> {
  return createDatabase(templateName, atEnd)
}

/** A database without tables, dropped when the test ends. */
export function createEmptyDatabase(atEnd: AtEnd = onTestFinished): Promise<string> {
  return createDatabase('template0', atEnd)
}

let server: Database | undefined

/** Makes and drops the databases of all tests of this worker. A session for each would cost more than the copy. */
function serverOfAll(serverUrl: string): Database {
  server ??= openDatabase({ connectionString: serverUrl, log: silentLog })
  return server
}

async function createDatabase(template: string, atEnd: AtEnd): Promise<string> {
  starts.databases += 1
  const serverUrl = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = serverOfAll(serverUrl)
  await server.query(`create database ${name} template ${template}`)
  atEnd(async () => {
    // An autovacuum worker may use it and cannot be ended from here. The whole server ends with the run.
    await server.query(`drop database ${name} with (force)`).catch(() => {})
  })
  return databaseNamed(serverUrl, name)
}
