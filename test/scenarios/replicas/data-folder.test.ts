import { expect, test } from 'vitest'
import { createEmptyDatabase } from '#test/database.ts'
import { startGateway } from '#test/harness.ts'

test('a gateway of another database does not start on a DATA_DIR, and one of its own does', async () => {
  const { dataDir, databaseUrl } = await startGateway()
  const env = { DATA_DIR: dataDir }
  // A copy of the same database would be the same one.
  const other = await createEmptyDatabase()
  const refused = startGateway({ env, databaseUrl: other }).then(() => 'started')
  await expect(refused).rejects.toThrow(
    /^DATA_DIR belongs to another database than DATABASE_URL\. Give this gateway a DATA_DIR of its own\./,
  )
  const again = await startGateway({ env, databaseUrl })
  expect((await again.request('GET', '/readyz')).status).toBe(200)
})
