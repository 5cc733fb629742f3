// Backups that the gateway makes by itself: on a schedule, and when the operator asks. After each one it proves that it
// can be restored.
import path from 'node:path'
import type { ClientBase } from 'pg'
import { fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '../database/database.ts'
import { runEvery } from '../recurring.ts'
import { errorCodeOf, errorMessageOf } from '../thrown.ts'
import { type BackupFile, createBackupFiles, nameOfBackup } from './backup-files.ts'
import {
  type BackupKind,
  type BackupPlan,
  type BackupRun,
  createBackupRuns,
  type RunResult,
} from './backup-runs.ts'
import { noteBackup } from './last-backup.ts'
import { removeScratch, testRestore } from './restore-test.ts'
import { writeBackup } from './write-backup.ts'

/** What the books of a restored database say. */
export interface BooksFound {
  readonly accounts: number
  readonly postings: number
  /** Says in plain words what is wrong. Undefined: the books add up. */
  readonly problem?: string | undefined
}

export interface Backups {
  readonly folder: string
  plan(): Promise<BackupPlan>
  /** In the transaction of the caller. */
  setPlan(plan: BackupPlan, client: ClientBase): Promise<void>
  /** Those in the folder, newest first. */
  list(): Promise<readonly BackupFile[]>
  /** The latest of each kind. */
  latest(): Promise<Readonly<Partial<Record<BackupKind, BackupRun>>>>
  /** The latest of each kind that has succeeded. */
  latestGood(): Promise<Readonly<Partial<Record<BackupKind, BackupRun>>>>
  /**
   * Begins a backup or a test of the newest one, and resolves before it has ended; to what runs, if something does.
   * Throws `not_found` where there is no backup to test.
   */
  begin(kind: BackupKind): Promise<BackupRun>
  /** Makes the backup that the schedule asks for, if it asks for one. */
  keepSchedule(): Promise<void>
  close(): Promise<void>
}

interface Dependencies {
  readonly database: Database
  readonly gatewayNumber: number
  readonly dataDir: string
  readonly folder: string
  readonly version: string
  /** Looks into the books of a restored database. */
  readonly look: (restored: Database) => Promise<BooksFound>
  readonly clock: Clock
  readonly log: Log
}

const tickMs = 60_000
const firstTickAfterMs = 5_000

export function createBackups(dependencies: Dependencies): Backups {
  const { clock, log, dataDir, folder } = dependencies
  const files = createBackupFiles(folder)
  const report = ({ file, kind }: BackupRun, problem: string) =>
    log.error({ file, problem }, alerts[kind])
  const runs = createBackupRuns({ ...dependencies, find: files.find, onFailure: report })
  const closing = new AbortController()
  const { signal } = closing
  const running = new Set<Promise<void>>()
  // A kill may have left it. No other gateway uses this folder.
  const cleared = removeScratch(dataDir).catch((error) =>
    log.warn({ err: error }, 'What a test of a restore has left will be removed later.'),
  )

  const work: Record<BackupKind, (run: BackupRun) => Promise<RunResult>> = {
    async backup({ file, startedAt }) {
      await files.prepare()
      await writeBackup(dataDir, file, { version: dependencies.version, signal })
      await noteBackup(dataDir, { at: startedAt, file })
      const { kept } = await runs.plan()
      await files
        .removeAllBut(kept)
        .catch((error) => log.warn({ err: error }, 'Old backups will be removed later.'))
      return { bytes: (await files.find(file))?.bytes }
    },
    async 'restore-test'({ file }) {
      await cleared
      return await testRestore(file, { dataDir, look: dependencies.look, signal, log })
    },
  }

  async function perform(run: BackupRun): Promise<void> {
    const { id, kind, askedBy, file } = run
    const result = await work[kind](run).catch((error: unknown): RunResult => {
      log.warn({ err: error, file }, 'A backup or its test was broken off.')
      return { problem: inWords(error, folder) }
    })
    // The next start ends in the books what a stop has broken off.
    if (signal.aborted) return
    await runs.end(id, result)
    await runs.forgetOld()
    if (result.problem !== undefined) report(run, result.problem)
    else if (kind === 'backup') {
      const tested = await runs.begin({ kind: 'restore-test', askedBy, file })
      if (tested?.isNew) await perform(tested.run)
    }
  }

  function start(run: BackupRun): Promise<void> {
    const performed = perform(run)
      .catch((error) => log.error({ err: error, file: run.file }, alerts[run.kind]))
      .finally(() => running.delete(performed))
    running.add(performed)
    return performed
  }

  async function begin(kind: BackupKind, askedBy: BackupRun['askedBy'], file: string) {
    const begun = await runs.begin({ kind, askedBy, file })
    if (begun === undefined) throw fail('unavailable')
    return { run: begun.run, performed: begun.isNew ? start(begun.run) : undefined }
  }

  const newFile = () => path.join(folder, nameOfBackup(clock.now()))

  async function keepSchedule(): Promise<void> {
    if (!(await runs.isDue())) return
    const { performed } = await begin('backup', 'schedule', newFile())
    await performed
  }

  const schedule = runEvery(
    tickMs,
    keepSchedule,
    (error) => log.warn({ err: error }, 'Whether a backup is due is looked at later.'),
    firstTickAfterMs,
  )

  return {
    folder,
    plan: runs.plan,
    setPlan: runs.setPlan,
    list: files.list,
    latest: runs.latest,
    latestGood: runs.latestGood,
    async begin(kind) {
      const file = kind === 'backup' ? newFile() : (await files.list())[0]?.file
      if (file === undefined)
        throw fail('not_found', { message: 'There is no backup yet. Make one first.' })
      return (await begin(kind, 'operator', file)).run
    },
    keepSchedule,
    async close() {
      closing.abort()
      await schedule.close()
      await Promise.all(running)
    },
  }
}

const alerts: Readonly<Record<BackupKind, string>> = {
  backup: 'Operator alert: a backup failed. See Backups in the console.',
  'restore-test':
    'Operator alert: a backup could not be restored in a test. See Backups in the console.',
}

/** What is said for the errors of the disk. */
const ofDisk: Readonly<Record<string, (folder: string) => string>> = {
  ENOSPC: (folder) =>
    `The disk is full. Make room in ${folder} and in the data folder, or keep fewer backups.`,
  EDQUOT: (folder) => `The quota of the disk is used up. Make room in ${folder}.`,
  EACCES: (folder) => `The gateway may not write into ${folder}. Give that folder to its user.`,
  EPERM: (folder) => `The gateway may not write into ${folder}. Give that folder to its user.`,
  EROFS: (folder) => `${folder} is on a disk that can only be read. Set BACKUPS_DIR to another.`,
  ENOTDIR: (folder) => `${folder} is not a folder. Set BACKUPS_DIR to one.`,
  EEXIST: (folder) => `${folder} is not a folder. Set BACKUPS_DIR to one.`,
}

function inWords(error: unknown, folder: string): string {
  const code = errorCodeOf(error) ?? ''
  const message = errorMessageOf(error)
  return ofDisk[code]?.(folder) ?? message
}
