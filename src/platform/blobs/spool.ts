// Receives bytes into files of this machine, before they are stored.
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '#core/ports.ts'
import { isOfEndedProcess, processFileName } from '../process-folder.ts'
import { BlobTooLarge, headBytes, type StagedBlob } from './blobs.ts'

/**
 * A file that is being received keeps changing. One of another machine that has not changed for so long belongs to a
 * dead process.
 */
const idleMsMax = 15 * 60_000
/** Bytes that may wait for a write. They are written together. */
const waitingBytesMax = 1_000_000
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
      const file = path.join(directory, processFileName())
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
        if (isOfEndedProcess(name) || changedMs < clock.now() - idleMsMax)
          await rm(file, { force: true })
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
  const meter = createMeter(bytesMax)

  async function writeMeasured(chunks: readonly Uint8Array[]) {
    const writing = writeAll(file, chunks)
    // Hashed while the system writes. A failure of the write is thrown below.
    writing.catch(() => {})
    for (const chunk of chunks) meter.take(chunk)
    await writing
  }

  await pipeline(
    content,
    new Writable({
      highWaterMark: waitingBytesMax,
      write: (chunk, _encoding, done) => void writeMeasured([chunk]).then(() => done(), done),
      writev: (waiting, done) =>
        void writeMeasured(waiting.map(({ chunk }) => chunk)).then(() => done(), done),
    }),
  )
  await file.sync()
  return meter.result()
}

/** Counts and hashes bytes that pass. */
export function createMeter(bytesMax: number) {
  const hash = createHash('sha256')
  const head = Buffer.alloc(headBytes)
  let length = 0
  return {
    /** Throws BlobTooLarge when the content exceeds `bytesMax`. */
    take(chunk: Uint8Array) {
      if (length + chunk.length > bytesMax) throw new BlobTooLarge()
      if (length < headBytes) head.set(chunk.subarray(0, headBytes - length), length)
      hash.update(chunk)
      length += chunk.length
    },
    result: () => ({
      bytes: length,
      sha256: hash.digest('hex'),
      head: head.subarray(0, Math.min(length, headBytes)),
    }),
  }
}

/** The system may write only a part. */
async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(chunks)
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
  if (bytesWritten < bytes) await writeAll(file, [Buffer.concat(chunks).subarray(bytesWritten)])
}
