// Which characters a font has, and its family, by the tables `cmap` and `name` of its file. Source: the OpenType
// specification.
import { open } from 'node:fs/promises'

/** Pairs of the first and the last character of each range, in order. */
export type Coverage = Uint32Array

/** A `cmap` is never so large; a length beyond it is a lie. */
const tableBytesMax = 8_000_000
const fontsOfCollectionMax = 64
const trueTypeTags = [0x00010000, 0x4f54544f, 0x74727565]
const collectionTag = 0x74746366
const cmapTag = 0x636d6170
const nameTag = 0x6e616d65
const postScriptName = 6

/** Reads a stretch of a font file. It may be shorter at the end of the file. */
type ReadBytes = (offset: number, length: number) => Promise<Buffer>

export interface FontFile {
  /** Empty if the file does not name it. */
  readonly family: string
  readonly coverage: Coverage
  readonly place: FontPlace
}

/** Where a program that draws finds the font. */
export interface FontPlace {
  readonly file: string
  /** The PostScript name of the first font of a collection. Absent for a file with one font. */
  readonly face?: string
}

/** Undefined if the file is not a TrueType or OpenType font with characters. */
export async function readFontFile(file: string): Promise<FontFile | undefined> {
  const handle = await open(file)
  try {
    return await readFont(file, async (offset, length) => {
      const buffer = Buffer.alloc(length)
      const { bytesRead } = await handle.read(buffer, 0, length, offset)
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await handle.close()
  }
}

async function readFont(file: string, read: ReadBytes): Promise<FontFile | undefined> {
  try {
    const head = await read(0, 12)
    const isCollection = head.readUInt32BE(0) === collectionTag
    const starts = isCollection ? await fontsOf(read, head) : [0]
    const tables = await Promise.all(starts.map((start) => tableAt(read, start, cmapTag)))
    const ranges = tables.flatMap((table) => (table === undefined ? [] : rangesOf(table)))
    const table = await tableAt(read, starts[0] ?? 0, nameTag)
    const names = table === undefined ? new Map<number, string>() : namesIn(table)
    const face = isCollection ? names.get(postScriptName) : undefined
    const place = { file, ...(face === undefined ? {} : { face }) }
    // The family under which all its weights are found, or else that of this weight.
    const family = names.get(16) ?? names.get(1) ?? ''
    return ranges.length === 0 ? undefined : { family, coverage: merged(ranges), place }
  } catch (error) {
    // It ends before a number that its form promises.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

async function fontsOf(read: ReadBytes, head: Buffer): Promise<readonly number[]> {
  const count = Math.min(head.readUInt32BE(8), fontsOfCollectionMax)
  const offsets = await read(12, count * 4)
  return Array.from({ length: count }, (_, index) => offsets.readUInt32BE(index * 4))
}

async function tableAt(read: ReadBytes, start: number, tag: number): Promise<Buffer | undefined> {
  const head = await read(start, 12)
  if (!trueTypeTags.includes(head.readUInt32BE(0))) return undefined
  const count = head.readUInt16BE(4)
  const records = await read(start + 12, count * 16)
  for (let at = 0; at < count * 16; at += 16)
    if (records.readUInt32BE(at) === tag)
      return await read(
        records.readUInt32BE(at + 8),
        Math.min(tableBytesMax, records.readUInt32BE(at + 12)),
      )
  return undefined
}

/** By their number. */
function namesIn(table: Buffer): ReadonlyMap<number, string> {
  const [count, strings] = [table.readUInt16BE(2), table.readUInt16BE(4)]
  const names = new Map<number, string>()
  for (let index = 0, at = 6; index < count; index++, at += 12) {
    const isWindows = table.readUInt16BE(at) === 3
    const start = strings + table.readUInt16BE(at + 10)
    const text = Buffer.from(table.subarray(start, start + table.readUInt16BE(at + 8)))
    const id = table.readUInt16BE(at + 6)
    if (isWindows && text.length % 2 === 0 && !names.has(id))
      names.set(id, text.swap16().toString('utf16le'))
  }
  return names
}

type Range = readonly [first: number, last: number]

function rangesOf(table: Buffer): Range[] {
  const count = table.readUInt16BE(2)
  return Array.from({ length: count }, (_, index) => 4 + index * 8).flatMap((at) => {
    const [platform, encoding] = [table.readUInt16BE(at), table.readUInt16BE(at + 2)]
    const isUnicode = platform === 0 ? encoding !== 5 : platform === 3 && [1, 10].includes(encoding)
    if (!isUnicode) return []
    const part = table.subarray(table.readUInt32BE(at + 4))
    const format = part.readUInt16BE(0)
    return format === 4 ? segments(part) : format === 12 || format === 13 ? groups(part) : []
  })
}

/** Format 12 and 13: groups of characters. */
function groups(part: Buffer): Range[] {
  const count = part.readUInt32BE(12)
  const found: Range[] = []
  for (let index = 0, at = 16; index < count; index++, at += 12) {
    const [first, last] = [part.readUInt32BE(at), part.readUInt32BE(at + 4)]
    const from = part.readUInt32BE(at + 8) === 0 ? first + 1 : first
    if (from <= last) found.push([from, Math.min(last, 0x10ffff)])
  }
  return found
}

/** Format 4: segments, whose characters may have no glyph one by one. */
function segments(part: Buffer): Range[] {
  const size = part.readUInt16BE(6)
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + size * 2, 16 + size * 3]
  const found: Range[] = []
  for (let at = 0; at < size; at += 2) {
    const [first, last] = [part.readUInt16BE(starts + at), part.readUInt16BE(ends + at)]
    const [delta, offset] = [part.readUInt16BE(deltas + at), part.readUInt16BE(offsets + at)]
    for (let character = first; character <= last && character < 0xffff; character++) {
      const place = offsets + at + offset + (character - first) * 2
      const raw = offset === 0 ? character : part.readUInt16BE(place)
      const hasGlyph = offset === 0 ? ((raw + delta) & 0xffff) !== 0 : raw !== 0
      if (hasGlyph) found.push([character, character])
    }
  }
  return found
}

function merged(ranges: readonly Range[]): Coverage {
  const found: [number, number][] = []
  for (const [first, last] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const before = found.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else found.push([first, last])
  }
  return Uint32Array.from(found.flat())
}

export function covers(coverage: Coverage, character: number): boolean {
  let [low, high] = [0, coverage.length / 2 - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (character < (coverage[middle * 2] ?? 0)) high = middle - 1
    else if (character > (coverage[middle * 2 + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}
