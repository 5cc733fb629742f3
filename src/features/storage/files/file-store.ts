// Files from their reservation to their removal. The database says what there is; the blob store has the bytes.
import { Readable } from 'node:stream'
import { type Caller, ownerOf } from '#core/caller.ts'
import type { RecordEffect } from '#core/effects/effect.ts'
import { fail } from '#core/errors.ts'
import type { ByteRange, ByteStream, FileSource } from '#core/files.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import { BlobMissing, type Blobs, BlobTooLarge, type StagedBlob } from '#platform/blobs/blobs.ts'
import { runEvery } from '#platform/recurring.ts'
import type { FileDescription, FileRow, FileRows, Reservation } from './file-rows.ts'
import { mediaTypeOf } from './media-type.ts'

/** Source: spec, "Limits". */
export const fileBytesMax = 100_000_000
/** How long an address is valid. Source: spec, "Limits". */
export const addressLifetimeMs = 3_600_000
/** An upload that begins while its address is valid may go on for so long. */
const uploadTimeoutMs = 600_000
const firstSweepAfterMs = 1_000
const sweepIntervalMs = 60_000

/** Bytes that the gateway receives itself. */
export interface Arrival extends FileDescription {
  readonly source: FileSource
  readonly content: AsyncIterable<Uint8Array> | Uint8Array
  readonly output?: Reservation['output']
  /** The pending file whose room it takes. */
  readonly reserved?: string | undefined
}

/** A file whose bytes come later. */
export interface ExpectedFile extends FileDescription {
  readonly bytes: number
  readonly mayBeSmaller?: boolean | undefined
  readonly output?: Reservation['output']
  /** How long its room is kept at least. Default: as long as an upload may take. */
  readonly keptMs?: number | undefined
}

export interface FileStore {
  /** A file of the owner, arrived or not. Throws `not_found`. */
  find: FileRows['find']
  /** Any file, for a request that a signature admits. Throws `not_found`. */
  get: FileRows['get']
  findOutput: FileRows['findOutput']
  /**
   * Reserves quota for bytes that the caller is going to send, or for an output. With `effect`, the file is an effect
   * of its call. Throws `file_quota_exceeded`.
   */
  reserve(caller: Caller, file: ExpectedFile, effect?: RecordEffect): Promise<FileRow>
  /**
   * Receives the bytes of a pending file. Throws `payload_too_large` or `bad_request` for another length than the
   * reserved one, `file_already_uploaded`, `not_found`. A later call for the same file ends an earlier one, whose
   * connection may hang.
   */
  receive(fileId: string, content: Readable): Promise<FileRow>
  /** Receives bytes and stores them as a new file. Throws `payload_too_large`, `file_quota_exceeded`. */
  add(caller: Caller, arrival: Arrival, effect?: RecordEffect): Promise<FileRow>
  /** The content of a stored file. Throws `not_found`. */
  read(fileId: string, range?: ByteRange): Promise<ByteStream>
  /** Removes a file and frees its quota. Throws `not_found`. */
  remove(caller: Caller, fileId: string): Promise<FileRow>
  /** Releases the quota of files that were never uploaded or never paid for, and removes bytes that are not needed. */
  sweep(): Promise<void>
  close(): Promise<void>
}

interface Dependencies {
  readonly rows: FileRows
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
}

export function createFileStore(dependencies: Dependencies): FileStore {
  const { rows, blobs, log } = dependencies
  const confirm = createConfirmation(dependencies)
  const cleaning = createCleaning({ ...dependencies, confirm })
  return {
    find: async (owner, fileId) => await confirm(await rows.find(owner, fileId)),
    get: async (fileId) => await confirm(await rows.get(fileId)),
    findOutput: rows.findOutput,
    ...createArrivals(dependencies),
    async read(fileId, range) {
      return await blobs.read(fileId, range).catch((cause) => {
        throw cause instanceof BlobMissing ? fail('not_found', { cause }) : cause
      })
    },
    async remove(caller, fileId) {
      const file = await rows.find(ownerOf(caller), fileId)
      await rows.remove(fileId)
      // The file is gone for its owner. A sweep erases the bytes once the store works again.
      await cleaning
        .erase(fileId)
        .catch((err: unknown) => log.warn({ err, fileId }, 'A file will be erased later.'))
      return file
    },
    sweep: cleaning.sweep,
    close: cleaning.close,
  }
}

/** Publishes the bytes of a pending file, or discards them. Throws `file_already_uploaded`. */
async function publish(
  rows: FileRows,
  file: Pick<FileRow, 'fileId' | 'mediaType'>,
  staged: StagedBlob,
): Promise<FileRow> {
  const mediaType = mediaTypeOf(staged.head, file.mediaType)
  try {
    const { sha256 } = staged
    const arrived = await rows.arrive(file.fileId, { mediaType, sha256 }, staged.publish)
    if (!arrived) throw fail('file_already_uploaded')
  } catch (thrown) {
    await staged.discard()
    throw thrown
  }
  return await rows.get(file.fileId)
}

/** Makes room for a file of the caller. Throws `file_quota_exceeded`. */
const createRoom =
  ({ rows, clock }: Pick<Dependencies, 'rows' | 'clock'>) =>
  async (
    caller: Caller,
    file: Omit<Reservation, 'accountId' | 'keyId' | 'lapsesAt'>,
    {
      effect,
      keptMs = addressLifetimeMs + uploadTimeoutMs,
    }: { effect: RecordEffect | undefined; keptMs?: number | undefined },
  ) => {
    const now = clock.now()
    const { accountId } = caller
    const keyId = caller.kind === 'account' ? caller.keyId : undefined
    const lapsesAt = new Date(now + keptMs)
    await rows.reserve({ ...file, accountId, keyId, lapsesAt }, new Date(now), effect)
  }

function createArrivals({
  rows,
  blobs,
  clock,
}: Dependencies): Pick<FileStore, 'reserve' | 'receive' | 'add'> {
  const makeRoom = createRoom({ rows, clock })

  async function resize(fileId: string, bytes: number) {
    if (!(await rows.resize(fileId, bytes))) throw fail('file_quota_exceeded')
  }

  const receiving = new Map<string, Readable>()

  return {
    async reserve(caller, { keptMs, ...file }, effect) {
      const fileId = uuidv7(clock.now())
      const source = file.output === undefined ? 'upload' : 'action'
      await makeRoom(caller, { ...file, fileId, source }, { effect, keptMs })
      return await rows.get(fileId)
    },
    async receive(fileId, content) {
      const file = await rows.get(fileId)
      if (file.state === 'stored') throw fail('file_already_uploaded')
      receiving.get(fileId)?.destroy()
      receiving.set(fileId, content)
      const staged = await blobs
        .stage(fileId, content, { bytesMax: file.bytes })
        .catch(refuseTooLarge(file.bytes))
        .catch(refuseBrokenOff)
        .finally(() => receiving.get(fileId) === content && receiving.delete(fileId))
      if (staged.bytes < file.bytes && file.mayBeSmaller) await rows.resize(fileId, staged.bytes)
      else if (staged.bytes < file.bytes) {
        await staged.discard()
        throw fail('bad_request', {
          message: `Only ${staged.bytes} of ${file.bytes} bytes arrived. Send the file again to the same address.`,
        })
      }
      return await publish(rows, file, staged)
    },
    async add(caller, { content, reserved, ...description }, effect) {
      const fileId = reserved ?? uuidv7(clock.now())
      const stream = content instanceof Uint8Array ? Readable.from([content]) : content
      const staged = await blobs
        .stage(fileId, stream, { bytesMax: fileBytesMax })
        .catch(refuseTooLarge(fileBytesMax))
      const file = { ...description, fileId, bytes: staged.bytes }
      const room =
        reserved === undefined ? makeRoom(caller, file, { effect }) : resize(fileId, file.bytes)
      await room.catch(async (thrown) => {
        await staged.discard()
        throw thrown
      })
      return await publish(rows, file, staged).catch(async (thrown) => {
        if (reserved === undefined) await rows.remove(fileId)
        throw thrown
      })
    },
  }
}

/** Sees whether the bytes of a pending file have come to the store by themselves, and publishes them. */
function createConfirmation({ rows, blobs }: Dependencies) {
  const running = new Map<string, Promise<FileRow>>()

  async function look(file: FileRow): Promise<FileRow> {
    const staged = await blobs.direct?.arrived(file.fileId, file.bytes)
    if (staged === undefined) return file
    const mediaType = mediaTypeOf(staged.head, file.mediaType)
    // Another gateway may have been faster.
    await rows.arrive(file.fileId, { mediaType, sha256: staged.sha256 }, staged.publish)
    return await rows.get(file.fileId)
  }

  return async (file: FileRow): Promise<FileRow> => {
    const { fileId, state, mayBeSmaller } = file
    if (state !== 'pending' || mayBeSmaller || blobs.direct === undefined) return file
    const looking = running.get(fileId) ?? look(file).finally(() => void running.delete(fileId))
    running.set(fileId, looking)
    return await looking
  }
}

const refuseTooLarge =
  (bytesMax: number) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof BlobTooLarge)) throw thrown
    throw fail('payload_too_large', {
      message: `The file is larger than ${bytesMax} bytes. Nothing was stored.`,
      cause: thrown,
    })
  }

/** What a stream throws when its sender ends the connection. */
const brokenOff: readonly unknown[] = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']

function refuseBrokenOff(thrown: unknown): never {
  if (!(thrown instanceof Error && 'code' in thrown && brokenOff.includes(thrown.code)))
    throw thrown
  throw fail('bad_request', {
    message:
      'The connection ended before the whole file had arrived. Send it again to the same address.',
    cause: thrown,
  })
}

function createCleaning({
  rows,
  blobs,
  clock,
  log,
  confirm,
}: Dependencies & { confirm: (file: FileRow) => Promise<FileRow> }) {
  let isClosed = false

  /** Erases the bytes of a removed file. If the gateway dies before the end, a sweep does it. */
  async function erase(fileId: string) {
    await blobs.remove(fileId)
    await rows.forget(fileId)
  }

  async function confirmAll() {
    let after: string | undefined
    for (;;) {
      const pending = await rows.pending(after)
      after = pending.at(-1)?.fileId
      if (after === undefined || isClosed) return
      for (const file of pending) await confirm(file)
    }
  }

  async function sweep() {
    if (blobs.direct !== undefined) await confirmAll()
    while (!isClosed && (await rows.lapse(new Date(clock.now()))) > 0);
    for (;;) {
      const removed = await rows.removed()
      if (removed.length === 0 || isClosed) break
      for (const fileId of removed) await erase(fileId)
    }
    await blobs.sweep()
  }

  const recurring = runEvery(
    sweepIntervalMs,
    sweep,
    (error) => log.warn({ err: error }, 'Old files will be removed later.'),
    firstSweepAfterMs,
  )

  return {
    erase,
    sweep,
    async close() {
      isClosed = true
      await recurring.close()
      await blobs.close()
    },
  }
}
