import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startGateway } from '#test/harness.ts'

const PROVIDER_SEALING_KEY = 'the sealing key of the tests, which is long enough'
const own = { ADMIN_TOKEN: '' }

test('with a sealing key the gateways of a database share secrets that the database does not show', async () => {
  // A gateway without a key has stored its secrets as they are.
  const first = await startGateway()
  const { databaseUrl, database } = first
  const stored = () =>
    database.query<{ name: string; value: string | null }>('select name, value from shared_secret')
  expect((await stored()).every(({ value }) => value !== null)).toBe(true)

  const sealed = { databaseUrl, env: { ...own, PROVIDER_SEALING_KEY } }
  const [one, two] = [await startGateway(sealed), await startGateway(sealed)]
  const rows = await stored()
  expect(rows.map(({ name }) => name)).toContain('admin-token')
  expect(rows.filter(({ value }) => value !== null)).toEqual([])
  const tokenOf = async ({ dataDir }: typeof one) =>
    (await readFile(path.join(dataDir, 'admin-token'), 'utf8')).trim()
  const token = await tokenOf(one)
  expect(await tokenOf(two)).toBe(token)
  expect((await two.request('GET', '/api/v1/admin/accounts', { key: token })).status).toBe(200)

  const otherKey = 'another sealing key, which is long enough too'
  for (const env of [own, { ...own, PROVIDER_SEALING_KEY: otherKey }])
    await expect(startGateway({ databaseUrl, env })).rejects.toThrow(/Set PROVIDER_SEALING_KEY to/)
})
