// `tollway restore`: puts a backup in the place of the data folder's content.
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Surroundings, UsageError } from '@tollway/command'
import { checkBackup, unpack } from '#platform/backups/unpack.ts'
import { findCluster, lockCluster } from '#platform/postgres/copy.ts'
import { readSettings } from './settings.ts'

const waitMs = 50

/** The verb. Throws UsageError where the database is not the embedded one. */
export async function runRestore(
  named: string,
  { onlyCheck }: { readonly onlyCheck: boolean },
  { environment, folder, typedIn, output, signal }: Surroundings,
): Promise<void> {
  const file = path.resolve(typedIn, named)
  if (onlyCheck) {
    const { createdAt, version } = await checkBackup(file)
    const about = { ok: true, created_at: createdAt, version }
    output.print(about, () => `The backup of ${createdAt} is whole. Tollway ${version} made it.`)
    return
  }
  const config = readSettings(environment, folder)
  if (config.DATABASE_URL !== undefined)
    throw new UsageError(
      'DATABASE_URL is set, so the database is not the embedded one. Use pg_restore, as docs/operate/restore.md shows.',
    )
  const dataDir = path.resolve(folder, config.DATA_DIR)
  const { before } = await restoreInto(dataDir, file, {
    signal,
    onWait: () =>
      output.note('The backup is unpacked. Stop the gateway now; the restore then goes on.'),
  })
  const kept = before === undefined ? {} : { kept: before }
  output.print({ restored: dataDir, ...kept }, () =>
    [
      `Restored ${dataDir}. Start the gateway.`,
      ...(before === undefined ? [] : [`What was there before is in ${before}.`]),
    ].join('\n'),
  )
}

/** Resolves to the folder with the earlier content, if there was any. */
export async function restoreInto(
  dataDir: string,
  source: string,
  options: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<{ readonly before: string | undefined }> {
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const cluster = await findCluster(dataDir)
  const here = path.join(dataDir, 'postgres')
  if (cluster !== undefined && cluster !== path.join(await realpath(dataDir), 'postgres'))
    throw new UsageError(
      `The database files are outside the data folder, in ${cluster}. Restore into another DATA_DIR.`,
    )
  const moment = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const unpacked = path.join(dataDir, `restoring-${moment}`)
  try {
    await mkdir(unpacked, { mode: 0o700 })
    await unpack(source, unpacked)
    const unlock = await waitForLock(cluster ?? here, options)
    try {
      return { before: await changePlaces(dataDir, unpacked, moment) }
    } finally {
      unlock()
    }
  } finally {
    await rm(unpacked, { recursive: true, force: true })
  }
}

/** Rejects with the reason of `signal`. */
async function waitForLock(
  directory: string,
  { signal, onWait }: Parameters<typeof restoreInto>[2],
): Promise<() => void> {
  for (let told = false; ; told = true) {
    signal.throwIfAborted()
    const unlock = lockCluster(directory)
    if (unlock !== undefined) return unlock
    if (!told) onWait()
    await delay(waitMs, undefined, { signal })
  }
}

/** Files of this machine, and its backups, which stay where they are. */
const staying = /^(postgres\.lock.*|postgres-\d.*|restoring-.*|before-restore-.*|backups)$/

/** The database moves last, so that a stop in between never leaves the old database with new files. */
async function changePlaces(dataDir: string, unpacked: string, moment: string) {
  const before = path.join(dataDir, `before-restore-${moment}`)
  const old = (await readdir(dataDir)).filter((name) => !staying.test(name))
  const databaseLast = (a: string, b: string) => Number(a === 'postgres') - Number(b === 'postgres')
  if (old.length > 0) await mkdir(before, { mode: 0o700 })
  for (const name of old.toSorted(databaseLast))
    await rename(path.join(dataDir, name), path.join(before, name))
  for (const name of (await readdir(unpacked)).toSorted(databaseLast))
    await rename(path.join(unpacked, name), path.join(dataDir, name))
  return old.length > 0 ? before : undefined
}
