// A database that a root gateway keeps outside its data folder remains when the data folder is deleted. A note beside
// each database names its data folder; a week after that folder was deleted, the database is removed.
import { readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '#core/ports.ts'
import { tryLock } from './lock.ts'
import { isServerOf } from './orphan.ts'
import { readPidFile } from './pid-file.ts'

interface Origin {
  readonly dataDir: string
  /** Identifies the parent of the data folder. It differs while a volume is not mounted. */
  readonly parent: string
}

const dayMs = 24 * 60 * 60_000
export const keptUnusedDays = 7
const keptIncompleteDays = 1
const clusterName = /^[0-9a-f]{16}$/

export const clustersDirectory = (systemDirectory: string) => path.join(systemDirectory, 'clusters')
const originFile = (cluster: string) => `${cluster}.origin`
/** Written when the data folder is first missed. Its age is the waiting time. */
const markFile = (cluster: string) => `${cluster}.unused`

/** Writes the note that names the data folder of this database. */
export async function noteOrigin(cluster: string, dataDir: string): Promise<void> {
  const parent = await identityOf(path.dirname(dataDir))
  const origin: Origin = { dataDir, parent: parent ?? '' }
  await writeFile(originFile(cluster), `${JSON.stringify(origin)}\n`, { mode: 0o600 })
}

/** Removes the databases of deleted data folders and the leftovers of killed starts. */
export async function removeUnusedClusters(systemDirectory: string, log: Log): Promise<void> {
  const clusters = clustersDirectory(systemDirectory)
  let unknown = 0
  for (const name of await readdir(clusters).catch(() => [])) {
    const file = path.join(clusters, name)
    if (name.includes('.incomplete-') || name.includes('.removed-')) await removeLeftover(file)
    if (!clusterName.test(name)) continue
    const origin = await readOrigin(file)
    if (origin === undefined) unknown += 1
    else if (await isDeleted(origin, file)) await removeWhenDue(file, origin, log)
    else await rm(markFile(file), { force: true })
  }
  if (unknown > 0) {
    log.info(
      { clusters, unknown },
      'Some databases here are without a note of their data folder: an earlier version created them, and no gateway has used them since. Remove those that you do not need.',
    )
  }
}

async function readOrigin(cluster: string): Promise<Origin | undefined> {
  const text = await readFile(originFile(cluster), 'utf8').catch(() => undefined)
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A data folder counts as deleted only if its original parent is still there. On an unmounted volume nothing is known.
 */
async function isDeleted({ dataDir, parent }: Origin, cluster: string): Promise<boolean> {
  const linked = await realpath(path.join(dataDir, 'postgres')).catch(() => undefined)
  if (linked === cluster || (await identityOf(dataDir)) !== undefined) return false
  return (await identityOf(path.dirname(dataDir))) === parent
}

async function identityOf(directory: string): Promise<string | undefined> {
  const found = await stat(directory, { bigint: true }).catch(() => undefined)
  return found && `${found.dev}:${found.ino}`
}

async function removeWhenDue(cluster: string, { dataDir }: Origin, log: Log): Promise<void> {
  const age = await ageDays(markFile(cluster))
  if (age === undefined) {
    await writeFile(markFile(cluster), '')
    log.warn(
      { cluster, dataDir },
      `The data folder of this database was deleted. The database is removed in ${keptUnusedDays} days.`,
    )
    return
  }
  if (age < keptUnusedDays || !(await removeUnlessUsed(cluster))) return
  await Promise.all([originFile(cluster), markFile(cluster)].map((file) => rm(file)))
  log.info({ cluster, dataDir }, 'Removing the database of a deleted data folder.')
}

async function removeUnlessUsed(cluster: string): Promise<boolean> {
  const unlock = tryLock(`${cluster}.lock`)
  if (unlock === undefined) return false
  try {
    const server = await readPidFile(cluster)
    if (server && (await isServerOf(cluster, server.pid))) return false
    // Renamed first, so that a kill in the middle does not leave half a database under its name.
    const removed = `${cluster}.removed-${process.pid}`
    await rename(cluster, removed)
    await rm(removed, { recursive: true, force: true })
    return true
  } finally {
    unlock()
  }
}

/** Left by an initdb or a removal whose gateway was killed. A recent one may still be in progress. */
async function removeLeftover(file: string): Promise<void> {
  const age = (await ageDays(file)) ?? 0
  if (age >= keptIncompleteDays) await rm(file, { recursive: true, force: true })
}

async function ageDays(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found && (Date.now() - found.mtimeMs) / dayMs
}
