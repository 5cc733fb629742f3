// `tollway backup`: one file with the embedded database and everything else of the data folder.
import { access } from 'node:fs/promises'
import path from 'node:path'
import { type Surroundings, UsageError } from '@tollway/command'
import { noteBackup } from '#platform/backups/last-backup.ts'
import { writeBackup } from '#platform/backups/write-backup.ts'
import { readSettings } from './settings.ts'

const bytesPerMegabyte = 1_000_000

/** The verb. Throws UsageError where the database is not the embedded one. */
export async function runBackup(
  named: string,
  { environment, folder, typedIn, output, signal }: Surroundings,
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
  const target = path.dirname(file)
  if (!(await exists(target)))
    throw new UsageError(`There is no folder ${target}. Make it, or name another file.`)
  if (!(await exists(dataDir)))
    throw new UsageError(
      `There is no data folder ${dataDir}. Start the gateway once, or set DATA_DIR to its folder.`,
    )
  const { bytes, isRunning } = await writeBackup(dataDir, file, { version, signal })
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

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
