// Reads a provider's reply within a limit: decompressed, counted, decoded.
import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
}

export interface LimitedBytes {
  readonly bytes: Buffer
  /** The body went on after `bytesMax`; the rest was not read. */
  readonly truncated: boolean
}

/** Throws when the body ends early or is not what its content-encoding says. */
export async function readBytes(
  body: Readable,
  contentEncoding: string | undefined,
  bytesMax: number,
): Promise<LimitedBytes> {
  const stream = decompress(body, contentEncoding)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bytesMax) {
      chunks.push(chunk.subarray(0, chunk.length - (size - bytesMax)))
      // Leaving the loop destroys the stream and with it the connection, so that the rest is never downloaded.
      return { bytes: Buffer.concat(chunks), truncated: true }
    }
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks), truncated: false }
}

function decompress(body: Readable, contentEncoding = ''): Readable {
  const names = contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  return names.reduceRight<Readable>((stream, name) => {
    const create = decoders[name]
    if (create === undefined) {
      // Destroying an unread body makes it emit an error, which nobody listening would turn into a crash.
      body.on('error', () => {}).destroy()
      throw new Error(`The content-encoding ${name} was not asked for.`)
    }
    return pipeline(stream, create(), () => {})
  }, body)
}

/** By the charset of the content type; without one as UTF-8, and what is not UTF-8 as the old default of the web. */
export function decodeText(bytes: Buffer, contentType = ''): string {
  const label = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
  for (const [charset, fatal] of [
    [label, false],
    ['utf-8', true],
  ] as const) {
    try {
      if (charset !== undefined) return new TextDecoder(charset, { fatal }).decode(bytes)
    } catch {}
  }
  return new TextDecoder('windows-1252').decode(bytes)
}
