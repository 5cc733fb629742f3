// The files of callers, as actions see them.
import type { Caller } from './caller.ts'
import type { RecordEffect } from './effects/effect.ts'
import { fail } from './errors.ts'

/** A file whose bytes have arrived. Its content never changes. */
export interface StoredFile {
  readonly fileId: string
  readonly filename: string
  /** Read from the bytes where they show it, otherwise the declared type or `application/octet-stream`. */
  readonly mediaType: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly source: FileSource
  readonly tags: readonly string[]
  readonly note: string | null
  /** ISO time. */
  readonly createdAt: string
}

/** The bytes came by a PUT of the caller, from an address, or are the output of an action. */
export type FileSource = 'upload' | 'url' | 'action'

/** An action's output to store as a file. */
export interface NewFile {
  /** Names the output within its call: a job that is run again stores the same name once. */
  readonly name: string
  readonly filename: string
  /** Used where the bytes do not show their type. */
  readonly mediaType: string
  readonly content: AsyncIterable<Uint8Array> | Uint8Array
}

/** Room for an output that is stored later. */
export interface FileRoom extends Omit<NewFile, 'content'> {
  /** The most that the output can have. */
  readonly bytes: number
  /** How long the room is kept for an output that is stored after its call has ended. Default: an hour. */
  readonly keptMs?: number
}

/** A file that the caller is going to send. */
export interface ExpectedUpload {
  readonly filename: string
  readonly mediaType: string
  /** Undefined: any size up to the limit of a file, whose room is reserved. */
  readonly bytes: number | undefined
}

/** A stream of Node, to be read to its end or destroyed. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  destroy(): void
}

/** The first and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The files of one caller. A file of another caller is `not_found`. */
export interface CallerFiles {
  /** Throws `not_found`, or `file_pending` before the bytes have arrived. */
  find(fileId: string): Promise<StoredFile>
  /** The content. Throws as `find` does. */
  open(fileId: string, range?: ByteRange): Promise<ByteStream>
  /**
   * Takes room for an output out of the quota until `save` stores it under the same name. For work that costs something
   * before its output is there. The room is kept while the call runs, and `keptMs` at least. Throws
   * `file_quota_exceeded`.
   */
  reserve(room: FileRoom): Promise<void>
  /** Gives back the room of an output that will not be stored. Repeating it changes nothing. */
  release(name: string): Promise<void>
  /**
   * Stores an action's output with the source `action`. It counts against the caller's quota and has no upload fee.
   * Throws `file_quota_exceeded`, and `payload_too_large` for content above the limit of a file.
   */
  save(file: NewFile): Promise<StoredFile>
  /**
   * Reserves room for bytes that the caller sends to `putUrl` within an hour. Throws `bad_request`,
   * `payload_too_large`, `file_quota_exceeded`.
   */
  expect(
    upload: ExpectedUpload,
  ): Promise<{ readonly fileId: string; readonly putUrl: string; readonly getUrl: string }>
  /** Removes an output that the caller does not pay for. Throws `not_found`. */
  discard(fileId: string): Promise<void>
  /** An address that serves the content without a credential for about an hour. Throws as `find` does. */
  address(fileId: string): Promise<string>
}

/**
 * Opens the files of a caller for one call. `callId` is undefined for a free call without a row in the ledger. With
 * `effect`, a file is an effect of the call.
 */
export type OpenCallerFiles = (
  caller: Caller,
  callId: string | undefined,
  effect?: RecordEffect,
) => CallerFiles

const refuse = async () => {
  throw fail('not_found')
}

/** A caller who has no files and can store none. */
export const noFiles: CallerFiles = {
  find: refuse,
  open: refuse,
  save: refuse,
  address: refuse,
  reserve: refuse,
  release: refuse,
  expect: refuse,
  discard: refuse,
}
