// Where the bytes of files are kept, by keys that the gateway chooses.
import type { ByteRange, ByteStream } from '#core/files.ts'

/** Bytes that have been received completely and are not visible under their key yet. */
export interface StagedBlob {
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
  /** The first bytes, which show the type of most formats. */
  readonly head: Uint8Array
  /** Makes the bytes durable and visible under their key, all at once. Replaces what the key held. */
  publish(): Promise<void>
  /** Removes the bytes. Does nothing once they are published. */
  discard(): Promise<void>
}

export interface Blobs {
  /**
   * Receives bytes for a key. Nothing is visible before `publish`. Throws BlobTooLarge once there are more than
   * `bytesMax`, or the error of `content`; then nothing is left behind.
   */
  stage(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options: { readonly bytesMax: number },
  ): Promise<StagedBlob>
  /** Throws BlobMissing. */
  read(key: string, range?: ByteRange): Promise<ByteStream>
  /** Removes what is stored or staged under the key, if anything. */
  remove(key: string): Promise<void>
  /** Removes bytes that a dead process has left on this machine. */
  sweep(): Promise<void>
  /** Addresses of the store itself. Absent: the gateway receives and serves the bytes. */
  readonly direct?: DirectBlobs
  close(): Promise<void>
}

/** Addresses at which callers exchange bytes with the store, without the gateway in between. */
export interface DirectBlobs {
  /** Takes a PUT of exactly `bytes` bytes. */
  putAddress(
    key: string,
    options: { readonly bytes: number; readonly expiresInMs: number },
  ): Promise<string>
  getAddress(key: string, options: ServedBlob): Promise<string>
  /** The bytes that came to the address of a PUT, as staged. Undefined while there are none. */
  arrived(key: string, bytes: number): Promise<StagedBlob | undefined>
}

export interface ServedBlob {
  readonly mediaType: string
  /** The header Content-Disposition of the answer. */
  readonly disposition: string
  readonly expiresInMs: number
}

/** Keys are UUIDs of the gateway: no text of a caller becomes part of a path. Throws TypeError. */
export function checkKey(key: string): string {
  if (!/^[0-9a-f-]{36}$/.test(key)) throw new TypeError(`${key} is not the key of a blob.`)
  return key
}

export const headBytes = 4_096

export class BlobTooLarge extends Error {
  constructor() {
    super('The content is larger than announced.')
    this.name = 'BlobTooLarge'
  }
}

export class BlobMissing extends Error {
  constructor(key: string, options?: ErrorOptions) {
    super(`There is no blob ${key}.`, options)
    this.name = 'BlobMissing'
  }
}
