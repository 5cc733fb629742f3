// Blobs in a folder of this machine. The folder is on one file system, because renames make blobs visible.
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#core/ports.ts'
import { BlobMissing, type Blobs, checkKey } from './blobs.ts'
import { openSpool, ownerOnly } from './spool.ts'

export async function openLocalBlobs({
  directory,
  clock,
}: {
  directory: string
  clock: Clock
}): Promise<Blobs> {
  const spool = await openSpool({ directory: path.join(directory, 'incoming'), clock })
  /** The end of a UUID is random, so that the folders fill evenly. */
  const folderOf = (key: string) => path.join(directory, key.slice(-2))
  const placeOf = (key: string) => path.join(folderOf(checkKey(key)), key)

  return {
    async stage(key, content, limits) {
      checkKey(key)
      const { path: staged, ...received } = await spool.receive(content, limits)
      return {
        ...received,
        async publish() {
          await mkdir(folderOf(key), { recursive: true, mode: ownerOnly.folder })
          await rename(staged, placeOf(key))
          await syncFolder(folderOf(key))
        },
      }
    },
    async read(key, range = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const file = await open(placeOf(key)).catch((cause) => {
        throw cause.code === 'ENOENT' ? new BlobMissing(key, { cause }) : cause
      })
      return file.createReadStream(range)
    },
    remove: (key) => rm(placeOf(key), { force: true }),
    sweep: spool.sweep,
    async close() {},
  }
}

/** A rename survives a power failure once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
