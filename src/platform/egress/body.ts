// Reads and decompresses a response body within a limit that holds before and after decompression.
import { type Duplex, pipeline, Readable } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { CallError } from '#core/errors.ts'
import { FetchFailure, isTimeout } from './failure.ts'

export type Bytes = AsyncIterable<Buffer, void, undefined>

/** The encodings that we request and can decode. */
export const acceptEncoding = 'gzip, deflate, br, zstd'

/** Content-Encoding may name several, but no honest server needs more. */
const encodingsMax = 3

/**
 * For a body beyond its limit: throw, keep the part within the limit, or keep also the part before a body broke off.
 */
export type Beyond = 'refuse' | 'cut' | 'salvage'

/** Says why a body that was kept ends early. */
export type BodyCut = 'size' | 'time' | 'encoding' | 'connection'

export interface PageBytes {
  readonly bytes: Buffer
  /** Absent for a whole body. */
  readonly cut?: BodyCut
}

/** Takes out of a decompressed body what its reader does not want, before the body counts against its limit. */
export interface BodyFilter {
  /** The limit of the body as it comes. */
  readonly sourceBytesMax: number
  readonly filter: (source: Bytes) => Bytes
}

export interface BodyOptions {
  readonly contentEncoding: string | undefined
  readonly bytesMax: number
  readonly thin?: BodyFilter | undefined
  readonly beyond: Beyond
  /** Called with the length so far and awaited before more is read. */
  readonly hold?: ((bytes: number) => Promise<void>) | undefined
}

/** The decompressed bytes. Throws FetchFailure `too_large` or `encoding`, or the error that broke the stream. */
export function decodeBody(
  body: Readable,
  options: Omit<BodyOptions, 'hold'>,
  onLimit = () => {},
): Bytes {
  const encodings = (options.contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (encodings.length > encodingsMax)
    throw new FetchFailure('encoding', 'The page is compressed too many times.')
  const { thin, bytesMax } = options
  const limit = (source: Bytes, most = thin?.sourceBytesMax ?? bytesMax) =>
    limitBytes(source, { ...options, bytesMax: most }, onLimit)
  // Compressed bytes are limited too: empty compressed blocks can go on for ever without yielding a byte.
  let source = limit(body)
  for (const encoding of encodings.reverse()) source = limit(decode(encoding, source))
  return thin === undefined ? source : limit(thin.filter(source), bytesMax)
}

/** Throws as `decodeBody` does, or what `hold` throws. */
export async function readBody(body: Readable, options: BodyOptions): Promise<PageBytes> {
  let cut: BodyCut | undefined
  const source = decodeBody(body, options, () => {
    cut = 'size'
  })
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of source) {
      length += chunk.length
      await options.hold?.(length)
      chunks.push(chunk)
    }
  } catch (thrown) {
    const isSalvaged = options.beyond === 'salvage' && chunks.length > 0
    if (!isSalvaged || thrown instanceof CallError) throw thrown
    cut = cutBy(thrown)
  }
  const bytes = Buffer.concat(chunks)
  return cut === undefined ? { bytes } : { bytes, cut }
}

function cutBy(thrown: unknown): BodyCut {
  const reason = thrown instanceof FetchFailure ? thrown.reason : undefined
  if (reason === 'encoding') return 'encoding'
  return reason === 'timeout' || isTimeout(thrown) ? 'time' : 'connection'
}

export function tooLarge(bytesMax: number): FetchFailure {
  return new FetchFailure('too_large', `The page is larger than ${bytesMax / 1_000_000} MB.`)
}

async function* limitBytes(
  source: Bytes,
  { bytesMax, beyond }: BodyOptions,
  onLimit: () => void,
): Bytes {
  let bytes = 0
  for await (const chunk of source) {
    const left = bytesMax - bytes
    bytes += chunk.length
    if (bytes <= bytesMax) {
      yield chunk
      continue
    }
    if (beyond === 'refuse') throw tooLarge(bytesMax)
    onLimit()
    yield chunk.subarray(0, left)
    return
  }
}

/** A compressed stream that was cut short decodes as far as it goes, as in browsers. */
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
      throw new FetchFailure('encoding', `The encoding "${encoding}" is unknown.`)
  }
}

/** Servers send deflate with or without the zlib header. The first byte shows which. */
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

/** Throws FetchFailure `encoding` for bytes that cannot be decompressed, or the error of the source. */
async function* through(source: Bytes, decoder: Duplex): Bytes {
  let failure: { readonly cause: unknown } | undefined
  const watched = async function* () {
    try {
      yield* source
    } catch (cause) {
      if (decoder.errored === null) failure = { cause }
      throw cause
    }
  }
  // An error of the source destroys the decoder, and the loop then throws.
  pipeline(Readable.from(watched()), decoder, () => {})
  try {
    yield* decoder
  } catch (thrown) {
    if (failure !== undefined) throw failure.cause
    throw new FetchFailure('encoding', 'The compression of the page is damaged.', thrown)
  }
}
