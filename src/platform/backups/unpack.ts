// Reads a backup, and unpacks it.
import { createWriteStream } from 'node:fs'
import { chmod, chown, lchown, mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type ArchiveEntry, readArchive } from './archive.ts'
import { type BackupManifest, manifestName } from './write-backup.ts'

/** Throws an Error if it is not a backup, or not a whole one. */
export async function checkBackup(source: string): Promise<BackupManifest> {
  const manifest = createManifestReader()
  await readArchive(source, manifest.read)
  return manifest.found()
}

/** Reads all of it, and unpacks the entries that are `wanted`. Throws as `checkBackup`. */
export async function unpack(
  source: string,
  folder: string,
  wanted: (name: string) => boolean = () => true,
): Promise<BackupManifest> {
  const manifest = createManifestReader()
  await readArchive(source, async (entry) => {
    if (entry.header.name === manifestName) return await manifest.read(entry)
    manifest.found()
    if (wanted(entry.header.name)) await unpackEntry(entry, folder)
  })
  return manifest.found()
}

function createManifestReader() {
  let manifest: BackupManifest | undefined
  const notOne = () =>
    new Error('This is not a backup of `tollway backup`. docs/operate/restore.md has other ways.')
  return {
    /** Throws an Error for the first entry of another archive. */
    async read({ header, content }: ArchiveEntry): Promise<void> {
      if (manifest !== undefined) return
      if (header.name !== manifestName) throw notOne()
      manifest = (await json(content)) as BackupManifest
      if (manifest.format !== 1)
        throw new Error('A newer Tollway made this backup. Restore it with that version.')
    },
    found(): BackupManifest {
      if (manifest === undefined) throw notOne()
      return manifest
    },
  }
}

async function unpackEntry({ header, content }: ArchiveEntry, folder: string): Promise<void> {
  const { name, mode = 0o600, uid = 0, gid = 0, type, linkname } = header
  const place = path.join(folder, name)
  if (path.relative(folder, place).startsWith('..'))
    throw new Error(`The backup has an entry outside its folder: ${name}. Do not use it.`)
  const isRoot = process.getuid?.() === 0
  if (type === 'symlink') {
    await symlink(linkname ?? '', place)
    if (isRoot) await lchown(place, uid, gid)
    return
  }
  if (type === 'directory') await mkdir(place)
  else await pipeline(content, createWriteStream(place, { flags: 'wx', flush: true }))
  if (isRoot) await chown(place, uid, gid)
  // After the owner, because a change of the owner removes bits of the mode.
  await chmod(place, mode)
}
