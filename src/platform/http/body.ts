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
  /** The body is longer than `bytesMax`; the rest was not read. */
  readonly truncated: boolean
}

/** Throws if the body ends early or does not match its content-encoding. */
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
      // Leaving the loop destroys the stream and its connection, so the rest is not downloaded.
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
    const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined
    if (create === undefined) {
      // Destroying an unread body emits an error, which would crash the process without a listener.
      body.on('error', () => {}).destroy()
      throw new Error(`The content-encoding ${name} was not requested.`)
    }
    return pipeline(stream, create(), () => {})
  }, body)
}

/** Decodes by the charset of the content type. Without one: UTF-8, or windows-1252 if the bytes are not UTF-8. */
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
