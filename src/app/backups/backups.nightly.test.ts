// Backups that a gateway makes of its embedded database while it works, and what each stop leaves.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { applySchema } from '#platform/database/schema.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createLogCapture } from '#test/log-capture.ts'
import { silentLog } from '#test/silent-log.ts'
import { until } from '#test/until.ts'
import { schema } from '../schema.ts'
import { openBackups } from './backups.ts'

async function open() {
  const dataDir = await makeDataDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  onTestFinished(() => server.stop())
  const { connectionString } = server
  const database = openDatabase({ connectionString, log: silentLog })
  await applySchema(database, schema)
  await database.close()
  const books = await openLedger({
    connectionString,
    journalDirectory: path.join(dataDir, 'leases'),
  })
  const log = createLogCapture()
  const start = async (settings: { readonly BACKUPS_DIR?: string } = {}) => {
    const closers: (() => Promise<unknown>)[] = []
    const { made } = openBackups(
      {
        config: { DATA_DIR: dataDir, ...settings },
        version: '0.0.0',
        clock: systemClock,
        log,
        onClose: (close) => closers.push(close),
      },
      { database: books.database, isEmbedded: true },
      books,
    )
    if (made === undefined) throw new Error('It makes no backups.')
    const close = async () => {
      for (const each of closers.splice(0)) await each()
    }
    onTestFinished(close)
    return { ...made, close }
  }
  return { ...books, dataDir, log, start, folder: path.join(dataDir, 'backups') }
}

type Backups = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['start']>>

/** Waits for the end of the latest run of a kind, and gives it. */
async function ended(backups: Backups, kind: 'backup' | 'restore-test') {
  await until(async () => (await backups.latest())[kind]?.endedAt instanceof Date)
  return (await backups.latest())[kind]
}

test('a backup is made while the gateway works, is restored in a test, and old ones go', async () => {
  const { database, ledger, dataDir, folder, log, start } = await open()
  await openAccount(database, ledger, 5_000_000)
  await writeFile(path.join(dataDir, 'admin-token'), 'secret')
  const backups = await start()
  await expect(backups.begin('restore-test')).rejects.toThrow('There is no backup yet')
  await database.transaction((client) => backups.setPlan({ everyHours: 0, kept: 1 }, client))
  await mkdir(folder)
  await writeFile(path.join(folder, 'notes.txt'), 'mine')

  const begun = await backups.begin('backup')
  // One at a time: what runs is the answer.
  expect((await backups.begin('backup')).id).toBe(begun.id)
  const tested = await ended(backups, 'restore-test')
  expect(tested).toMatchObject({ problem: null, file: begun.file, askedBy: 'operator' })
  // The account, and those of the house.
  expect(tested?.accounts).toBeGreaterThan(1)
  expect(tested?.postings).toBe(2)
  expect((await backups.latest()).backup).toMatchObject({ problem: null, id: begun.id })
  const note = JSON.parse(await readFile(path.join(dataDir, 'last-backup.json'), 'utf8'))
  expect(note.file).toBe(begun.file)

  const second = await backups.begin('backup')
  await until(async () => (await backups.latest())['restore-test']?.file === second.file)
  await ended(backups, 'restore-test')
  expect((await readdir(folder)).toSorted()).toEqual(['notes.txt', path.basename(second.file)])
  expect(await readdir(dataDir)).not.toContain('restoring-test')
  expect(log.messages('error')).toEqual([])
})

test('the schedule makes a backup when the last one is older than its hours', async () => {
  const { database, start } = await open()
  const backups = await start()
  const count = async () => (await backups.list()).length
  await backups.keepSchedule()
  expect(await count()).toBe(0)
  await database.transaction((client) => backups.setPlan({ everyHours: 24, kept: 7 }, client))
  await backups.keepSchedule()
  expect(await count()).toBe(1)
  expect((await backups.latest())['restore-test']).toMatchObject({
    askedBy: 'schedule',
    problem: null,
  })
  const age = (hours: number, problem: string | null) =>
    database.query(
      `update backup_run set started_at = now() - $1 * interval '1 hour', problem = $2`,
      [hours, problem],
    )
  await age(23, null)
  await backups.keepSchedule()
  expect(await count()).toBe(1)
  // One that failed is tried again sooner.
  await age(2, 'The disk is full.')
  await backups.keepSchedule()
  expect(await count()).toBe(2)
  await age(25, null)
  await backups.keepSchedule()
  expect(await count()).toBe(3)
})

test('a failure is an alert, and says in plain words what to do', async () => {
  const { dataDir, log, start, folder } = await open()
  const file = path.join(dataDir, '..', `${path.basename(dataDir)}.file`)
  await writeFile(file, '')
  onTestFinished(() => rm(file))
  const nowhere = await start({ BACKUPS_DIR: file })
  await nowhere.begin('backup')
  expect(await ended(nowhere, 'backup')).toMatchObject({
    problem: `${file} is not a folder. Set BACKUPS_DIR to one.`,
  })
  await until(async () => log.messages('error').length === 1)
  expect(log.messages('error')).toEqual([
    'Operator alert: a backup failed. See Backups in the console.',
  ])
  await nowhere.close()

  const backups = await start()
  await mkdir(folder)
  await writeFile(path.join(folder, 'tollway-2026-11-23T00-00-00-000Z.tar.gz'), 'half')
  await backups.begin('restore-test')
  await ended(backups, 'restore-test')
  await until(async () => log.messages('error').length === 2)
  expect(log.messages('error')[1]).toContain('could not be restored in a test')
  await expect(start({ BACKUPS_DIR: path.join(dataDir, 'other') })).rejects.toThrow(
    'BACKUPS_DIR is inside DATA_DIR',
  )
})

test('a gateway that dies in the middle leaves no file that looks whole', async () => {
  const { database, ledger, folder, start, dataDir } = await open()
  const first = await start()
  const run = await first.begin('backup')
  await first.close()
  expect(await readdir(folder).catch(() => [])).toEqual([])

  // The number of a gateway that no longer lives, and what a kill leaves of its file and of a test.
  await database.query('update backup_run set gateway_id = 999')
  await mkdir(folder, { recursive: true })
  await writeFile(`${run.file}.incomplete-1`, 'half')
  await mkdir(path.join(dataDir, 'restoring-test'), { recursive: true })
  const second = await start()
  expect(await second.list()).toEqual([])
  expect((await second.latest()).backup).toMatchObject({
    problem: 'The gateway stopped before the backup was whole.',
  })
  await second.begin('backup')
  await ended(second, 'restore-test')
  const [only, ...others] = await readdir(folder)
  expect([others, (await second.list()).map(({ file }) => path.basename(file))]).toEqual([
    [],
    [only],
  ])

  // A backup holds the row of its own run, which had not ended.
  await database.query(
    `update backup_run set gateway_id = 999, ended_at = null, bytes = null where kind = 'backup' and problem is null`,
  )
  const { backup } = await second.latest()
  expect(backup).toMatchObject({ problem: null })
  expect(backup?.bytes).toBeGreaterThan(0)

  // Where the database was away at the end of a test, the row is still open, and this gateway no longer works on it.
  await database.query(
    `update backup_run set gateway_id = $1, ended_at = null where kind = 'restore-test'`,
    [ledger.gatewayNumber],
  )
  expect((await second.latest())['restore-test']).toMatchObject({
    problem: 'The gateway stopped before the test had ended.',
  })
})
