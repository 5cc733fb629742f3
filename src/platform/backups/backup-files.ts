// The folder with the backups that the gateway makes by itself. Other files in it are left alone.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

export interface BackupFile {
  readonly file: string
  readonly bytes: number
  readonly at: Date
}

/** Sorts by time. */
const whole = /^tollway-\d{4}-\d\d-\d\dT[\d-]+Z\.tar\.gz$/
/** Left by a kill. */
const incomplete = /^tollway-\d{4}-\d\d-\d\dT[\d-]+Z\.tar\.gz\.incomplete-/

export const nameOfBackup = (atMs: number) =>
  `tollway-${new Date(atMs).toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`

export function createBackupFiles(folder: string) {
  const names = async (pattern: RegExp) =>
    (await readdir(folder).catch(() => [])).filter((name) => pattern.test(name)).toSorted()

  async function find(file: string): Promise<BackupFile | undefined> {
    const found = await stat(file).catch(() => undefined)
    return found && { file, bytes: found.size, at: found.mtime }
  }

  return {
    folder,
    find,
    /** Newest first. */
    async list(): Promise<readonly BackupFile[]> {
      const files = await Promise.all(
        (await names(whole)).map((name) => find(path.join(folder, name))),
      )
      return files.filter((file) => file !== undefined).toReversed()
    },
    /** Only the owner may read what is in it. */
    async prepare(): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const name of await names(incomplete)) await rm(path.join(folder, name), { force: true })
    },
    async removeAllBut(kept: number): Promise<void> {
      for (const name of (await names(whole)).toReversed().slice(kept))
        await rm(path.join(folder, name), { force: true })
    },
  }
}
