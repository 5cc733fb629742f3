// Reads a response body whole: decompressed, and never more of it than the limit, before or after.
import { type Duplex, pipeline, Readable } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { FetchFailure } from './failure.ts'

type Bytes = AsyncIterable<Buffer, void, undefined>

/** What we ask servers for, and can undo. */
export const acceptEncoding = 'gzip, deflate, br, zstd'

/** Content-Encoding may name several; nobody honest needs more. */
const encodingsMax = 3

/** What to do with a body beyond its limit: throw, or take what came so far. */
export type Beyond = 'refuse' | 'cut'

export interface BodyOptions {
  readonly contentEncoding: string | undefined
  readonly bytesMax: number
  readonly beyond: Beyond
  /** Awaited with the length so far, before more is read. */
  readonly hold?: ((bytes: number) => Promise<void>) | undefined
}

/** Throws FetchFailure `too_large` or `encoding`, or whatever broke the stream. */
export async function readBody(body: Readable, options: BodyOptions): Promise<Buffer> {
  const encodings = (options.contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length > encodingsMax)
    throw new FetchFailure('encoding', 'The page is compressed too many times over.')
  // The wire is counted as well as what comes of it: empty compressed blocks inflate to nothing, for ever.
  let bytes = limit(body, options)
  for (const encoding of encodings.reverse()) bytes = limit(decode(encoding, bytes), options)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    await options.hold?.(length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export function tooLarge(bytesMax: number): FetchFailure {
  return new FetchFailure('too_large', `The page is larger than ${bytesMax / 1_000_000} MB.`)
}

async function* limit(source: Bytes, { bytesMax, beyond }: BodyOptions): Bytes {
  let bytes = 0
  for await (const chunk of source) {
    const left = bytesMax - bytes
    bytes += chunk.length
    if (bytes <= bytesMax) {
      yield chunk
      continue
    }
    if (beyond === 'refuse') throw tooLarge(bytesMax)
    yield chunk.subarray(0, left)
    return
  }
}

/** Compressed streams that their server cut short decode as far as they go, as they do in browsers. */
const zlibOptions = { finishFlush: constants.Z_SYNC_FLUSH }

function decode(encoding: string, source: Bytes): Bytes {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return through(source, createGunzip(zlibOptions))
    case 'deflate':
      return inflate(source)
    case 'br':
      return through(
        source,
        createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
      )
    case 'zstd':
      return through(source, createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }))
    default:
      throw new FetchFailure('encoding', `The encoding "${encoding}" is not understood.`)
  }
}

/** Servers that say deflate send it with the zlib header or without; its first byte tells. */
async function* inflate(source: Bytes): Bytes {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const hasHeader = ((first.value[0] ?? 0) & 0x0f) === 8
  const decoder = hasHeader ? createInflate(zlibOptions) : createInflateRaw(zlibOptions)
  yield* through(startingWith(first.value, { [Symbol.asyncIterator]: () => chunks }), decoder)
}

async function* startingWith(first: Buffer, rest: Bytes): Bytes {
  yield first
  yield* rest
}

async function* through(source: Bytes, decoder: Duplex): Bytes {
  // What breaks the source destroys the decoder with the same error, which the loop over it then throws.
  pipeline(Readable.from(source), decoder, () => {})
  yield* decoder
}
