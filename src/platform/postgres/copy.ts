// Copies the files of the embedded database, while its server runs or after it has ended.
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { tryLock } from './lock.ts'
import { connectAsSuperuser } from './server.ts'
import { chooseSocketDirectory, isAnswered } from './socket.ts'

export interface CopyTarget {
  /** Adds a file, a folder without what is in it, or a link. Skips what does not exist any more. */
  add(place: string, name: string): Promise<void>
  /** Adds a text with the owner and the rights of another file. */
  addText(name: string, text: string, like: string): Promise<void>
}

export interface HeldCluster {
  readonly isRunning: boolean
  copyTo(target: CopyTarget, name: string): Promise<void>
  release(): Promise<void>
}

/** The real path of the database files of a data folder. Undefined if it has none. */
export const findCluster = (dataDir: string): Promise<string | undefined> =>
  realpath(path.join(dataDir, 'postgres')).catch(() => undefined)

/** No gateway can start on the database before the lock is released. Undefined while one runs. */
export const lockCluster = (directory: string): (() => void) | undefined =>
  tryLock(`${directory}.lock`)

/** Whether the database of a data folder answers. */
export async function isClusterRunning(dataDir: string): Promise<boolean> {
  const directory = await findCluster(dataDir)
  return directory !== undefined && (await isAnswered(await socketsOf(directory)))
}

/**
 * The folder does not depend on the account, unless the path is too long and the account cannot enter the temporary
 * folder.
 */
const socketsOf = (directory: string) => chooseSocketDirectory(directory, undefined)

/** Throws an Error that says what to do. */
export async function holdCluster(dataDir: string): Promise<HeldCluster> {
  const directory = await findCluster(dataDir)
  if (directory === undefined)
    throw new Error(`${dataDir} has no database. Set DATA_DIR to the data folder of the gateway.`)
  const sockets = await socketsOf(directory)
  if (await isAnswered(sockets)) {
    const client = await connectAsSuperuser(sockets)
    return {
      isRunning: true,
      copyTo: (target, name) => copyRunning(client, directory, { target, name }),
      release: () => client.end(),
    }
  }
  const unlock = lockCluster(directory)
  if (unlock === undefined)
    throw new Error(`The gateway of ${dataDir} is starting or stopping. Try again in a moment.`)
  return {
    isRunning: false,
    copyTo: (target, name) => copyFolder(directory, { target, name }, neverCopied),
    release: async () => unlock(),
  }
}

/** Files of the running server, and its log. */
const neverCopied = /^(run|postmaster\.pid|postmaster\.opts|server\.log.*)$/
/** PostgreSQL makes the contents of these anew: its documentation, "Making a Base Backup". */
const emptyFolders =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//
const temporaryFiles = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*|backup_label|tablespace_map)$/
const segmentName = /^[0-9A-F]{24}$/

interface Destination {
  readonly target: CopyTarget
  readonly name: string
}

/**
 * The base backup of PostgreSQL's low-level interface: files are copied while they change, and the write-ahead log of
 * that time makes them consistent when the copy is started.
 */
async function copyRunning(
  client: pg.Client,
  directory: string,
  destination: Destination,
): Promise<void> {
  const { target, name } = destination
  // Keeps the write-ahead log from being recycled until this connection ends.
  await client.query(
    `select pg_create_physical_replication_slot('tollway_backup_' || pg_backend_pid(), true, true)`,
  )
  await client.query(`select pg_backup_start('tollway', fast => true)`)
  const isLeftOut = (file: string) =>
    neverCopied.test(file) || emptyFolders.test(file) || temporaryFiles.test(file)
  await copyFolder(directory, destination, { test: isLeftOut })
  const { rows } = await client.query<{ labelfile: string; last: string }>(
    `select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`,
  )
  const { labelfile = '', last = '' } = rows[0] ?? {}
  const first = /\(file ([0-9A-F]{24})\)/.exec(labelfile)?.[1]
  if (first === undefined) throw new Error('PostgreSQL did not say where the backup begins.')
  for (const segment of await readdir(path.join(directory, 'pg_wal'))) {
    const isHistory = segment.endsWith('.history')
    const isNeeded = segmentName.test(segment) && segment >= first && segment <= last
    if (isHistory || isNeeded)
      await target.add(path.join(directory, 'pg_wal', segment), `${name}/pg_wal/${segment}`)
  }
  await target.addText(`${name}/backup_label`, labelfile, path.join(directory, 'PG_VERSION'))
}

/** `leftOut` is asked with paths relative to the folder. */
export async function copyFolder(
  folder: string,
  { target, name }: Destination,
  leftOut: { test(file: string): boolean },
): Promise<void> {
  await target.add(folder, name)
  async function copyInside(below: string): Promise<void> {
    const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const file = below === '' ? entry.name : `${below}/${entry.name}`
      if (leftOut.test(file)) continue
      await target.add(path.join(folder, file), `${name}/${file}`)
      if (entry.isDirectory()) await copyInside(file)
    }
  }
  if ((await stat(folder)).isDirectory()) await copyInside('')
}
