// A newer version upgrades the database while a gateway of this version takes calls.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { applySchema, readMigrations } from '#platform/database/schema.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { verify } from '#test/harness.ts'
import { chat, startLlmGateway } from '#test/llm-gateway.ts'
import { until } from '#test/until.ts'
import { schema } from '../../../src/app/schema.ts'

const callers = 12
const callsEach = 5

/** The schema of the next release, which expands this one. */
async function writeNextSchema() {
  const folder = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(folder))
  for (const part of ['migrations', 'functions']) await mkdir(path.join(folder, part))
  const { length } = await readMigrations(schema.folders)
  const number = String(length + 1).padStart(4, '0')
  await writeFile(
    path.join(folder, 'migrations', `${number}_expand.sql`),
    'alter table call add column of_next_release text; create table of_next_release (id integer primary key);',
  )
  await writeFile(
    path.join(folder, 'functions/next.sql'),
    'create function of_next_release() returns integer language sql as $$ select 1 $$;\n',
  )
  const functionsVersion = schema.functionsVersion + 1
  return { ...schema, folders: [...schema.folders, folder], functionsVersion }
}

test('the next release upgrades the database under load without a failed call, and this one starts again after it', async () => {
  const gateway = await startLlmGateway()
  const account = await gateway.account(100_000)
  const next = await writeNextSchema()
  const failures: object[] = []
  let ended = 0
  let isUpgraded = false
  const caller = async (number: number) => {
    for (let after = 0; after < callsEach; after += isUpgraded ? 1 : 0) {
      const reply =
        number % 2 === 0
          ? await account.call('test/echo', { text: 'on' })
          : await chat(gateway, account, { model: 'lab/one' })
      ended += 1
      if (reply.status !== 200) failures.push({ status: reply.status, body: reply.body })
    }
  }
  const load = Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
  await until(async () => ended > callers)
  const { migrations, replacedFunctions } = await applySchema(gateway.database, next)
  isUpgraded = true
  expect([migrations.length, replacedFunctions]).toEqual([1, true])
  await load
  expect(failures).toEqual([])
  const { databaseUrl } = gateway
  const again = await startLlmGateway({ databaseUrl })
  expect((await again.call('test/echo', { text: 'again' }, { key: account.key })).status).toBe(200)
  expect(await gateway.database.query('select of_next_release() as one')).toEqual([{ one: 1 }])
  await expect.poll(async () => (await account.state()).heldCents).toBe(0)
  await verify(gateway)
})
