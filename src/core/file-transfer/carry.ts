// Carries files into a box before a command runs in it, and out of it afterwards.
import { fail, toCallError } from '../errors.ts'
import type { CallerFiles } from '../files.ts'
import type { SessionFiles } from '../session.ts'
import { type CarriedFile, type FileOrder, storedBytesMax } from './order.ts'

/** A call with files, and the file store of its caller. */
export interface FileTransfer {
  readonly order: FileOrder
  readonly store: CallerFiles
  readonly bytesMax: number
}

/**
 * Writes the files, runs `work`, and collects what it has made. Throws before `work` as `SessionFiles.write` and
 * `CallerFiles.open` do. What cannot be collected is told beside the result, because the work cannot be undone.
 */
export async function withFiles<Result extends object>(
  box: SessionFiles | undefined,
  { order, store, bytesMax }: FileTransfer,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result & { files: readonly CarriedFile[] }> {
  if (box === undefined)
    throw fail('bad_request', {
      message: 'This session takes no files. Nothing was run; leave files, collect and save out.',
    })
  const { files = [], collect = [], save = [] } = order
  for (const { path: place, open } of await openAll(files, store, bytesMax))
    await box.write(place, open(), signal)
  const result = await work()
  const made: CarriedFile[] = []
  const left = { inline: bytesMax, stored: storedBytesMax }
  const read = (place: string, most: number) => atMost(most, place, box.read(place, most, signal))
  for (const place of collect)
    made.push(
      await tell(place, async () => {
        const content = await gather(read(place, left.inline))
        left.inline -= content.length
        return { size: content.length, content: content.toString('base64') }
      }),
    )
  for (const place of save)
    made.push(
      await tell(place, async () => {
        const { fileId, bytes } = await store.save({
          // Another run of the same session may save the same path.
          name: `${crypto.randomUUID()} ${place}`,
          filename: place.split('/').at(-1) ?? place,
          mediaType: 'application/octet-stream',
          content: read(place, left.stored),
        })
        left.stored -= bytes
        return { size: bytes, file_id: fileId }
      }),
    )
  signal.throwIfAborted()
  return { ...result, files: made }
}

/** The contents, each checked before the first is written. */
async function openAll(
  files: NonNullable<FileOrder['files']>,
  store: CallerFiles,
  bytesMax: number,
) {
  const left = { inline: bytesMax, stored: storedBytesMax }
  const opened: { path: string; open: () => AsyncIterable<Uint8Array> }[] = []
  for (const { path: place, content = '', file_id: fileId } of files) {
    if (fileId === undefined) {
      const bytes = Buffer.from(content, 'base64')
      if (bytes.toString('base64') !== content) throw notBase64(place)
      left.inline -= bytes.length
      opened.push({ path: place, open: () => once(bytes) })
    } else {
      left.stored -= (await store.find(fileId)).bytes
      opened.push({ path: place, open: () => stored(store, fileId) })
    }
  }
  if (left.inline < 0) throw tooLarge('The contents of files have', bytesMax)
  if (left.stored < 0) throw tooLarge('The files named by file_id have', storedBytesMax)
  return opened
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

async function* stored(store: CallerFiles, fileId: string) {
  yield* await store.open(fileId)
}

/** Programs of callers run beside what reads the file in the box, so its size is not taken on trust. */
async function* atMost(bytesMax: number, place: string, content: AsyncIterable<Uint8Array>) {
  let left = bytesMax
  for await (const bytes of content) {
    left -= bytes.length
    if (left < 0) throw fileRefused(place, `The file has more than ${bytesMax} bytes`)
    yield bytes
  }
}

async function gather(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

async function tell(
  path: string,
  take: () => Promise<Omit<CarriedFile, 'path'>>,
): Promise<CarriedFile> {
  try {
    return { path, ...(await take()) }
  } catch (thrown) {
    const { code, message } = toCallError(thrown)
    return { path, error: code, message }
  }
}

const notBase64 = (path: string) =>
  fail('bad_request', {
    message: `The content of ${path} is not base64 with padding, as RFC 4648 describes it. Nothing was run.`,
  })

const tooLarge = (what: string, bytesMax: number) =>
  fail('payload_too_large', {
    message: `${what} more than ${bytesMax} bytes together. Nothing was run; send fewer files in one call${bytesMax === storedBytesMax ? '' : ', or store them with files/upload and send file_id'}.`,
  })

/** A file that a box refuses to write or to give. */
export const fileRefused = (path: string, reason: string, cause?: unknown) =>
  fail('bad_request', { message: `The box refuses the file ${path}: ${reason}.`, cause })
