import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createEmptyDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { openDatabase } from './database.ts'

const lock = 4711
/** Longer than a server may take to accept a connection. */
const busyMs = 6_000

test('a statement waits while every pooled connection waits for a lock', async () => {
  const database = openDatabase({ connectionString: await createEmptyDatabase(), log })
  onTestFinished(database.close)
  const holder = await database.connect()
  onTestFinished(() => holder.end())
  await holder.query(`select pg_advisory_lock(${lock})`)
  const { most } = database.pressure()
  const waiting = Array.from({ length: most }, () =>
    database.query(`select pg_advisory_xact_lock(${lock})`),
  )
  const next = database.query<{ one: number }>('select 1 as one')
  // Time is what is shown here: the lock is held for longer than a connection may take.
  await delay(busyMs)
  expect(database.pressure().waiting).toBeGreaterThan(0)
  await holder.query(`select pg_advisory_unlock(${lock})`)
  await Promise.all(waiting)
  expect(await next).toEqual([{ one: 1 }])
})
