// Replies that arrive compressed, although no compression was asked for: some gateways compress all that they send.
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'

/** What is there is given out at once, and a reply that was cut off is as long as it is. */
const zlib = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const decoders: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: () => createGunzip(zlib),
  'x-gzip': () => createGunzip(zlib),
  deflate: () => createInflate(zlib),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: () =>
    createZstdDecompress({ flush: constants.ZSTD_e_flush, finishFlush: constants.ZSTD_e_flush }),
}

/** Undefined for an encoding that cannot be read. */
export function createDecoder(encoding: string) {
  return decoders[encoding.trim().toLowerCase()]?.()
}
