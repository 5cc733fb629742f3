// `tollway backup`: one file with the embedded database and everything else of the data folder.
import { access, readdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { type Surroundings, UsageError } from '@tollway/command'
import { copyFolder, holdCluster } from '#platform/postgres/copy.ts'
import { noteBackup } from '#platform/postgres/last-backup.ts'
import { type ArchiveWriter, writeArchive } from './archive.ts'
import { readSettings } from './settings.ts'

const bytesPerMegabyte = 1_000_000
/** The first entry of each archive. */
export const manifestName = 'tollway-backup.json'

export interface BackupManifest {
  readonly format: 1
  /** Of the gateway that made it. */
  readonly version: string
  readonly createdAt: string
}

/** What belongs to this run of the gateway or to this machine, and what an earlier restore has left. */
const leftOut =
  /^(postgres|postgres\.lock.*|postgres\.incomplete-.*|postgres-\d.*|\.probe-.*|restoring-.*|before-restore-.*)$/
/** These belong to the running database, and not to a copy of it. */
const leftOutWhileRunning = /^(leases|files\/incoming)(\/|$)/

/** The verb. Throws UsageError where the database is not the embedded one. */
export async function runBackup(
  named: string,
  { environment, folder, typedIn, output }: Surroundings,
  version: string,
): Promise<void> {
  const config = readSettings(environment, folder)
  if (config.DATABASE_URL !== undefined)
    throw new UsageError(
      'DATABASE_URL is set, so the database is not the embedded one. Use pg_dump, as docs/operate/backup.md shows.',
    )
  const file = path.resolve(typedIn, named)
  if (await exists(file)) throw new UsageError(`${named} exists. Name a new file.`)
  const dataDir = path.resolve(folder, config.DATA_DIR)
  const at = new Date()
  const { bytes, isRunning } = await backUp(dataDir, file, version)
  await noteBackup(dataDir, { at, file }).catch((error: Error) =>
    output.note(`The console will not show this backup: ${error.message}`),
  )
  if (config.S3_BUCKET !== undefined)
    output.note('The files of callers are in S3_BUCKET. Back it up by the means of its store.')
  const size = `${Math.ceil(bytes / bytesPerMegabyte)} MB`
  output.print(
    { file: named, bytes, while_running: isRunning },
    () => `Backed up ${size} into ${named}${isRunning ? ', while the gateway runs' : ''}.`,
  )
}

/** The database is copied first, so that every file of which it knows is copied after it. */
async function backUp(dataDir: string, file: string, version: string) {
  const cluster = await holdCluster(dataDir)
  try {
    const bytes = await writeArchive(file, async (archive) => {
      const manifest: BackupManifest = {
        format: 1,
        version,
        createdAt: new Date().toISOString(),
      }
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

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
