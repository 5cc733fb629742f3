// Receives bytes into files of this machine, before they are stored.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#core/ports.ts'
import { BlobTooLarge, headBytes, type StagedBlob } from './blobs.ts'

/** A file that is being received keeps changing. One that has not changed for so long belongs to a dead process. */
const idleMsMax = 15 * 60_000
export const ownerOnly = { folder: 0o700, file: 0o600 } as const

export interface SpooledFile extends Omit<StagedBlob, 'publish'> {
  readonly path: string
}

export interface Spool {
  /** Throws BlobTooLarge, or the error of `content`; then nothing is left behind. */
  receive(
    content: AsyncIterable<Uint8Array>,
    limits: { readonly bytesMax: number },
  ): Promise<SpooledFile>
  /** Removes what dead processes have left. */
  sweep(): Promise<void>
}

export async function openSpool({
  directory,
  clock,
}: {
  directory: string
  clock: Clock
}): Promise<Spool> {
  await mkdir(directory, { recursive: true, mode: ownerOnly.folder })
  return {
    async receive(content, { bytesMax }) {
      const file = path.join(directory, randomUUID())
      const discard = () => rm(file, { force: true })
      const handle = await open(file, 'wx', ownerOnly.file)
      try {
        const received = await write(handle, content, bytesMax).finally(() => handle.close())
        return { ...received, path: file, discard }
      } catch (thrown) {
        await discard()
        throw thrown
      }
    },
    async sweep() {
      for (const name of await readdir(directory)) {
        const file = path.join(directory, name)
        const changedMs = await stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => Number.POSITIVE_INFINITY,
        )
        if (changedMs < clock.now() - idleMsMax) await rm(file, { force: true })
      }
    },
  }
}

/** Writes the content, counts and hashes it, and makes it durable. */
async function write(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Pick<StagedBlob, 'bytes' | 'sha256' | 'head'>> {
  const measured = measure(content, bytesMax)
  for await (const chunk of measured.bytes) await writeAll(file, chunk)
  await file.sync()
  return measured.result()
}

/** The same bytes. Once they have passed, `result` tells what they were. */
export function measure(content: AsyncIterable<Uint8Array>, bytesMax: number) {
  const hash = createHash('sha256')
  const head = Buffer.alloc(headBytes)
  let length = 0
  async function* pass() {
    for await (const chunk of content) {
      if (length + chunk.length > bytesMax) throw new BlobTooLarge()
      if (length < headBytes) head.set(chunk.subarray(0, headBytes - length), length)
      hash.update(chunk)
      length += chunk.length
      yield chunk
    }
  }
  return {
    bytes: pass(),
    result: () => ({
      bytes: length,
      sha256: hash.digest('hex'),
      head: head.subarray(0, Math.min(length, headBytes)),
    }),
  }
}

/** The system may write only a part. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written)
    written += bytesWritten
  }
}
