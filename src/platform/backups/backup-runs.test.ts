import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { silentLog } from '#test/silent-log.ts'
import { systemClock } from '../clock.ts'
import { openDatabase } from '../database/database.ts'
import { createBackupRuns } from './backup-runs.ts'

test('the last good backup is read behind any number of failed ones', async () => {
  const database = openDatabase({ connectionString: await createTestDatabase(), log: silentLog })
  onTestFinished(() => database.close())
  // No two runs begin in one millisecond, which their order goes by.
  let nowMs = systemClock.now()
  const clock = { ...systemClock, now: () => ++nowMs }
  const runs = createBackupRuns({
    database,
    clock,
    gatewayNumber: 1,
    find: async () => undefined,
    onFailure: () => {},
  })
  expect(await runs.latestGood()).toEqual({})
  const make = async (kind: 'backup' | 'restore-test', file: string, result: object) => {
    const begun = await runs.begin({ kind, askedBy: 'schedule', file })
    await runs.end(begun?.run.id ?? '', result)
  }
  await make('backup', 'first', { bytes: 5 })
  await make('restore-test', 'first', { accounts: 1, postings: 2 })
  for (let times = 0; times < 210; times++) {
    await make('backup', `failed-${times}`, { problem: 'The disk is full.' })
    await runs.forgetOld()
  }
  expect((await runs.latest()).backup).toMatchObject({
    file: 'failed-209',
    problem: 'The disk is full.',
  })
  expect(await runs.latestGood()).toMatchObject({
    backup: { file: 'first', bytes: 5, problem: null },
    'restore-test': { file: 'first', accounts: 1 },
  })
})
