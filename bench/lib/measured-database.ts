// A database of its own for a measurement, with the gateway's schema.
import { rm } from 'node:fs/promises'
import { createAccounts } from '#accounts/accounts.ts'
import { createKeys } from '#accounts/keys/keys.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { applySchema } from '#platform/database/schema.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { schema } from '../../src/app/schema.ts'

export async function openMeasuredDatabase() {
  const dataDir = await makeDataDirectory()
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const database = openDatabase({ connectionString: postgres.connectionString, log })
  await applySchema(database, schema)
  return {
    database,
    /** With a key and without money. */
    async openAccount() {
      const { accountId } = await createAccounts({ database, clock }).create()
      const { key } = await createKeys({ database, clock }).create({ accountId })
      return { accountId, keyId: key.id }
    },
    async close() {
      await database.close()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
