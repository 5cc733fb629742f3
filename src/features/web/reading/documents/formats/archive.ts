// A zip file in memory, read within limits. Only entries that are asked for are inflated.
import { buffer } from 'node:stream/consumers'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { encrypted, tooLarge, unreadable } from '../failure.ts'

export interface Archive {
  has(name: string): boolean
  readonly names: readonly string[]
  /** Undefined if there is no such entry. Throws DocumentFailure. */
  read(name: string): Promise<Buffer | undefined>
}

const archiveLimits = {
  entriesMax: 20_000,
  /** Of all entries that were read, together. */
  inflatedBytesMax: 300_000_000,
  /**
   * Beyond `ratioFreeBytes`, the inflated bytes are at most so many times the file's. Office files reach 30, a bomb
   * 1,000.
   */
  inflatedRatioMax: 100,
  ratioFreeBytes: 50_000_000,
} as const

export async function openArchive(bytes: Buffer): Promise<Archive> {
  const zip = await openZip(bytes)
  const entries = await listEntries(zip)
  const { inflatedBytesMax, inflatedRatioMax, ratioFreeBytes } = archiveLimits
  const allowed = Math.min(
    inflatedBytesMax,
    Math.max(ratioFreeBytes, bytes.length * inflatedRatioMax),
  )
  let inflated = 0
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    async read(name) {
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      if (entry.isEncrypted()) throw encrypted()
      // yauzl fails when an entry inflates to more than it declares.
      inflated += entry.uncompressedSize
      if (inflated > allowed)
        throw tooLarge(
          `The document inflates to more than ${Math.round(allowed / 1_000_000)} MB. Split it and send the parts.`,
        )
      const stream = await zip.openReadStreamPromise(entry).catch(throwBroken)
      return await buffer(stream).catch(throwBroken)
    },
  }
}

async function openZip(bytes: Buffer): Promise<ZipFile> {
  const zip = await fromBufferPromise(bytes, { validateEntrySizes: true }).catch(throwBroken)
  if (zip.entryCount > archiveLimits.entriesMax)
    throw tooLarge(`The document has more than ${archiveLimits.entriesMax} parts.`)
  return zip
}

async function listEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry())
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry)
  } catch (cause) {
    throwBroken(cause)
  }
  return entries
}

function throwBroken(cause: unknown): never {
  throw unreadable('The document is damaged: its zip archive cannot be read.', cause)
}
