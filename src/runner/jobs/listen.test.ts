import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createListen } from './listen.ts'

test('announcements are received, also after the connection breaks', async () => {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  onTestFinished(database.close)
  const heard: string[] = []
  let connections = 0
  const listener = await createListen({ database, clock })(
    'jobs',
    (payload) => heard.push(payload),
    () => {
      connections += 1
    },
  )
  const announce = (text: string) => database.query(`select pg_notify('jobs', $1)`, [text])
  await announce('first')
  await expect.poll(() => heard).toEqual(['first'])
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'listen%'`,
  )
  await expect.poll(() => connections).toBe(2)
  await announce('second')
  await expect.poll(() => heard).toEqual(['first', 'second'])
  await listener.close()
  await announce('third')
  expect([heard.length, connections]).toEqual([2, 2])
})

test('a listener can be closed while its connection is down', async () => {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  onTestFinished(database.close)
  const listen = createListen({ database, clock })
  const listener = await listen(
    'jobs',
    () => {},
    () => {},
  )
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'listen%'`,
  )
  await listener.close()
})
