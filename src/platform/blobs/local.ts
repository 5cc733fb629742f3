// Blobs in a folder of this machine. The folder is on one file system, because renames make blobs visible.
import { createReadStream, open as openFile } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '#core/ports.ts'
import { BlobMissing, type Blobs, checkKey } from './blobs.ts'
import { openSpool, ownerOnly } from './spool.ts'

/** Bytes that are read at once. */
const readBytes = 262_144
const openNumber = promisify((file: string, done: (error: Error | null, fd: number) => void) =>
  openFile(file, done),
)

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
      // A number, because streams of a FileHandle are much slower.
      const fd = await openNumber(placeOf(key)).catch((cause) => {
        throw cause.code === 'ENOENT' ? new BlobMissing(key, { cause }) : cause
      })
      return createReadStream('', { ...range, fd, highWaterMark: readBytes })
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
