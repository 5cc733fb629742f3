// Writes a backup: one file with the embedded database and everything else of the data folder.
import { readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { copyFolder, holdCluster } from '../postgres/copy.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'

/** The first entry of each archive. */
export const manifestName = 'tollway-backup.json'

export interface BackupManifest {
  readonly format: 1
  /** Of the gateway that made it. */
  readonly version: string
  readonly createdAt: string
}

/** What belongs to this run of the gateway or to this machine, and what earlier backups and restores have left. */
const leftOut =
  /^(postgres|postgres\.lock.*|postgres\.incomplete-.*|postgres-\d.*|\.probe-.*|restoring-.*|before-restore-.*|backups)$/
/** These belong to the running database, and not to a copy of it. */
const leftOutWhileRunning = /^(leases|files\/incoming)(\/|$)/

/**
 * The database is copied first, so that every file of which it knows is copied after it. Rejects with the reason of
 * `signal`, and leaves no file then.
 */
export async function writeBackup(
  dataDir: string,
  file: string,
  { version, signal }: { readonly version: string; readonly signal?: AbortSignal | undefined },
) {
  const cluster = await holdCluster(dataDir)
  try {
    const bytes = await writeArchive(file, async (whole) => {
      const archive = stoppedBy(signal, whole)
      const createdAt = new Date().toISOString()
      const manifest: BackupManifest = { format: 1, version, createdAt }
      const database = await realpath(path.join(dataDir, 'postgres'))
      const like = path.join(database, 'PG_VERSION')
      await archive.addText(manifestName, `${JSON.stringify(manifest)}\n`, like)
      await cluster.copyTo(archive, 'postgres')
      await copyRest(dataDir, archive, cluster.isRunning)
    })
    return { bytes, isRunning: cluster.isRunning }
  } finally {
    await cluster.release()
  }
}

const stoppedBy = (signal: AbortSignal | undefined, archive: ArchiveWriter): ArchiveWriter => ({
  ...archive,
  async add(place, name) {
    signal?.throwIfAborted()
    await archive.add(place, name)
  },
})

async function copyRest(
  dataDir: string,
  archive: ArchiveWriter,
  isRunning: boolean,
): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (leftOut.test(name) || (isRunning && leftOutWhileRunning.test(name))) continue
    await copyFolder(
      path.join(dataDir, name),
      { target: archive, name },
      { test: (file) => isRunning && leftOutWhileRunning.test(`${name}/${file}`) },
    )
  }
}
