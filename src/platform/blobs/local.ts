// Blobs in a folder of this machine. The folder is on one file system, because renames make blobs visible.
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#core/ports.ts'
import { BlobMissing, type Blobs, checkKey } from './blobs.ts'
import { receive } from './receive.ts'

/** A file that is being received keeps changing. One that has not changed for so long belongs to a dead process. */
const idleMsMax = 15 * 60_000
const ownerOnly = { folder: 0o700, file: 0o600 } as const

export async function openLocalBlobs({
  directory,
  clock,
}: {
  directory: string
  clock: Clock
}): Promise<Blobs> {
  const incoming = path.join(directory, 'incoming')
  await mkdir(incoming, { recursive: true, mode: ownerOnly.folder })
  /** The end of a UUID is random, so that the folders fill evenly. */
  const folderOf = (key: string) => path.join(directory, key.slice(-2))
  const placeOf = (key: string) => {
    checkKey(key)
    return path.join(folderOf(key), key)
  }

  async function publish(staged: string, key: string) {
    const place = placeOf(key)
    await mkdir(folderOf(key), { recursive: true, mode: ownerOnly.folder })
    await rename(staged, place)
    await syncFolder(folderOf(key))
  }

  return {
    async stage(key, content, limits) {
      checkKey(key)
      const staged = path.join(incoming, randomUUID())
      const discard = () => rm(staged, { force: true })
      const file = await open(staged, 'wx', ownerOnly.file)
      try {
        const received = await receive(file, content, limits).finally(() => file.close())
        return { ...received, discard, publish: () => publish(staged, key) }
      } catch (thrown) {
        await discard()
        throw thrown
      }
    },
    async read(key, range = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const file = await open(placeOf(key)).catch((cause) => {
        throw cause.code === 'ENOENT' ? new BlobMissing(key, { cause }) : cause
      })
      return file.createReadStream(range)
    },
    remove: (key) => rm(placeOf(key), { force: true }),
    async sweep() {
      for (const name of await readdir(incoming)) {
        const file = path.join(incoming, name)
        const changedMs = await stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => Number.POSITIVE_INFINITY,
        )
        if (changedMs < clock.now() - idleMsMax) await rm(file, { force: true })
      }
    },
  }
}

/** A rename survives a power failure once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
