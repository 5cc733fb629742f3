// A gateway that is told to stop while its database is away.
import { expect, onTestFinished, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { openDatabaseDoor } from '#test/database-door.ts'
import { startGateway, verify } from '#test/harness.ts'
import { chat, startLlmGateway } from '#test/llm-gateway.ts'
import { createLogCapture } from '#test/log-capture.ts'

const chatMicros = 300
/** Each part that is closed may tell what it could not do, once. Nothing is tried again and again. */
const warningsMax = 100

test('it stops, and the next one charges what it had answered', async () => {
  const databaseUrl = await createTestDatabase()
  const door = await openDatabaseDoor(databaseUrl)
  const DATA_DIR = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(DATA_DIR))
  const log = createLogCapture()
  const stopped = await startLlmGateway({
    databaseUrl: door.connectionString,
    env: { DATA_DIR },
    log,
  })
  const account = await stopped.account(100)
  const answers = 5
  for (let count = 0; count < answers; count += 1)
    expect((await chat(stopped, account, { model: 'lab/one' })).status).toBe(200)
  door.loseRequest()
  const away = await account.call('test/echo', {})
  await door.broken()
  expect([away.status, away.body.error]).toEqual([503, 'unavailable'])
  const before = log.messages('warn').length
  await stopped.app.close()
  expect(log.messages('warn').length - before).toBeLessThan(warningsMax)

  door.open()
  const next = await startGateway({ databaseUrl, env: { DATA_DIR } })
  await expect
    .poll(() =>
      next.database.query(
        'select sum(charged)::bigint as charged, count(*)::int as calls from call where account_id = $1 and charged > 0',
        [account.id],
      ),
    )
    .toEqual([{ charged: answers * chatMicros, calls: answers }])
  expect(await verify(next)).toMatchObject({ ok: true })
})
