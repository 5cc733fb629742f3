import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { databaseNamed, templateName } from './global-setup.ts'
import { silentLog } from './silent-log.ts'

/** Takes what is to be done at the end: of the test, or of all tests that share something. */
export type AtEnd = (work: () => Promise<void>) => void

/** A copy of the migrated database, dropped when the test ends. */
export async function createTestDatabase(atEnd: AtEnd = onTestFinished): Promise<string> {
  const serverUrl = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = openDatabase({ connectionString: serverUrl, log: silentLog })
  await server.query(`create database ${name} template ${templateName}`)
  atEnd(async () => {
    // An autovacuum worker may be in it, and is not ours to end; the whole server goes when the run ends.
    await server.query(`drop database ${name} with (force)`).catch(() => {})
    await server.close()
  })
  return databaseNamed(serverUrl, name)
}
