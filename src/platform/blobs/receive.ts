import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { BlobTooLarge, headBytes, type StagedBlob } from './blobs.ts'

/** Writes the content into the file, counts and hashes it, and makes it durable. */
export async function receive(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  { bytesMax }: { readonly bytesMax: number },
): Promise<Pick<StagedBlob, 'bytes' | 'sha256' | 'head'>> {
  const hash = createHash('sha256')
  const head = Buffer.alloc(headBytes)
  let bytes = 0
  for await (const chunk of content) {
    if (bytes + chunk.length > bytesMax) throw new BlobTooLarge()
    if (bytes < headBytes) head.set(chunk.subarray(0, headBytes - bytes), bytes)
    hash.update(chunk)
    await writeAll(file, chunk)
    bytes += chunk.length
  }
  await file.sync()
  return { bytes, sha256: hash.digest('hex'), head: head.subarray(0, Math.min(bytes, headBytes)) }
}

/** The system may write only a part. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0
  while (written < chunk.length) {
    const { bytesWritten } = await file.write(chunk, written)
    written += bytesWritten
  }
}
