// Rows of one column become headings, paragraphs, list items and code.
import { type DocumentBlock, escapeText } from '../blocks.ts'
import { splitTables, type TextRow } from './aligned-tables.ts'
import type { Piece } from './columns.ts'
import { joinLines, toSegment } from './lines.ts'
import { readListMarker } from './list-marker.ts'
import { type Box, boxOf, type Rule, type TextSegment } from './text-run.ts'

/** The sizes of type in a document. */
export interface TypeSizes {
  readonly body: number
  /** Of headings, the largest first. */
  readonly headings: readonly number[]
}

const lineGapMax = 1.75
const headingCharactersMax = 200
const boldHeadingCharactersMax = 80
const sizeTolerance = 0.4

export function toBlocks(
  pieces: readonly Piece[],
  rules: readonly Rule[],
  sizes: TypeSizes,
): DocumentBlock[] {
  const rows = toRows(pieces)
  const region = boxOf(pieces)
  const blocks: DocumentBlock[] = []
  let lines: TextSegment[] = []
  const close = () => {
    blocks.push(...blocksOfLines(lines, region, sizes))
    lines = []
  }
  let run: TextRow[] = []
  const flush = () => {
    for (const part of splitTables(run, rules)) {
      if (!('rows' in part)) {
        lines.push(toSegment(part.flatMap((segment) => segment.runs)))
        continue
      }
      close()
      blocks.push({ kind: 'table', rows: part.rows })
    }
    run = []
  }
  for (const row of rows) {
    if ('rows' in row) {
      flush()
      close()
      blocks.push({ kind: 'table', rows: row.rows })
    } else run.push(row)
  }
  flush()
  close()
  return blocks
}

/** From top to bottom. Segments of the same height are one row. */
function toRows(pieces: readonly Piece[]): (TextRow | Extract<Piece, { rows: unknown }>)[] {
  const rows: (
    | { -readonly [Key in keyof TextSegment]: TextSegment[Key] }
    | Extract<Piece, { rows: unknown }>
    | TextSegment[]
  )[] = []
  for (const piece of [...pieces].sort((one, other) => one.top - other.top)) {
    const last = rows.findLast((row) => Array.isArray(row))
    const head = last?.[0]
    if ('rows' in piece) rows.push(piece)
    else if (last && head && Math.abs(head.baseline - piece.baseline) <= sizeTolerance * piece.size)
      last.push(piece)
    else rows.push([piece])
  }
  return rows.map((row) =>
    Array.isArray(row) ? row.sort((one, other) => one.left - other.left) : row,
  ) as (TextRow | Extract<Piece, { rows: unknown }>)[]
}

function blocksOfLines(
  lines: readonly TextSegment[],
  region: Box,
  sizes: TypeSizes,
): DocumentBlock[] {
  const groups: TextSegment[][] = []
  for (const [index, line] of lines.entries()) {
    const group = groups.at(-1)
    const before = lines[index - 1]
    const margin = rightMargin(lines, index - 1, region)
    if (group === undefined || before === undefined || startsBlock(line, before, group, margin))
      groups.push([line])
    else group.push(line)
  }
  const items = groups.filter((group) => readListMarker(group[0]?.text ?? '') !== undefined)
  const indents = items.map((group) => group[0]?.left ?? 0)
  return joinCode(groups.map((group) => blockOf(group, sizes, indents)))
}

/** Where the lines around this one end: at the margin of their paragraph, if it has one, or of the column. */
function rightMargin(lines: readonly TextSegment[], index: number, region: Box): number {
  const line = lines[index]
  if (line === undefined) return region.right
  const isBeside = (other: TextSegment | undefined) =>
    other !== undefined && Math.abs(other.left - line.left) < 1.2 * line.size
  let [from, to] = [index, index]
  while (isBeside(lines[from - 1])) from -= 1
  while (isBeside(lines[to + 1])) to += 1
  const ends = lines.slice(from, to + 1).map(({ right }) => right)
  const margin = Math.max(...ends)
  const reaching = ends.filter((end) => end > margin - 0.5 * line.size)
  return reaching.length > 2 ? margin : region.right
}

function startsBlock(
  line: TextSegment,
  before: TextSegment,
  group: readonly TextSegment[],
  margin: number,
): boolean {
  const left = group[0]?.left ?? 0
  if (Math.abs(line.size - before.size) > 0.12 * before.size) return true
  if (line.baseline - before.baseline > lineGapMax * line.size) return true
  if (isMonospace(line) !== isMonospace(before)) return true
  if (isMonospace(line)) return false
  if (readListMarker(line.text) !== undefined && line.left <= left + 2 * line.size)
    return isListStart(line, before, group)
  const hadRoom = hasRoom(before, line, margin)
  if (isBold(line) !== isBold(before) && hadRoom) return true
  const isItem = readListMarker(group[0]?.text ?? '') !== undefined
  if (isItem) return hadRoom || (line.left < left + 0.3 * line.size && endsSentence(before))
  const isIndented =
    line.left > before.left + 0.8 * line.size && line.left < before.left + 4 * line.size
  if (isIndented && group.length > 1) return true
  const isCentred = Math.abs(line.left + line.right - before.left - before.right) < line.size
  return hadRoom && !isCentred
}

/** Whether the first word of a line had room on the line before it: then that line was ended on purpose. */
function hasRoom(before: TextSegment, { text, left, right }: TextSegment, margin: number): boolean {
  if (/\p{L}[-\u00ad\u2010]$/u.test(before.text)) return false
  const [word = ''] = text.split(' ', 1)
  const width = ((right - left) / text.length) * (word.length + 1)
  return before.right + width + 0.5 * before.size < margin
}

/** A line of a paragraph may begin with a number or a dash. */
function isListStart(
  line: TextSegment,
  before: TextSegment,
  group: readonly TextSegment[],
): boolean {
  if (readListMarker(group[0]?.text ?? '') !== undefined) return true
  return /^[^\p{L}\p{N}]/u.test(line.text) || endsSentence(before) || before.text.endsWith(':')
}

const endsSentence = ({ text }: TextSegment) => /[.!?:;…。！？]["'”’)\]]*$/u.test(text)
const isBold = ({ runs }: TextSegment) => runs.every((run) => run.isBold)
/** Chinese and Japanese letters are of one width in every font. */
const isMonospace = ({ runs, text }: TextSegment) =>
  runs.every((run) => run.isMonospace) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)

function blockOf(
  group: readonly TextSegment[],
  sizes: TypeSizes,
  indents: readonly number[],
): DocumentBlock {
  const [first] = group
  if (first === undefined) return { kind: 'paragraph', text: '' }
  if (group.every(isMonospace)) return { kind: 'code', text: codeOf(group) }
  const plain = joinLines(group.map(({ text }) => text))
  const level = headingLevel(group, plain, sizes)
  if (level !== undefined) return { kind: 'heading', level, text: escapeText(plain) }
  const item = readListMarker(plain)
  if (item === undefined || item.text === '') return { kind: 'paragraph', text: escapeText(plain) }
  const outer = indents.filter((indent) => indent < first.left - 0.5 * first.size)
  const depth = new Set(outer.map((indent) => Math.round(indent / first.size))).size
  return { kind: 'item', depth, marker: item.marker, text: escapeText(item.text) }
}

function headingLevel(
  group: readonly TextSegment[],
  text: string,
  { body, headings }: TypeSizes,
): number | undefined {
  const size = Math.max(...group.map((line) => line.size))
  if (!/\p{L}/u.test(text) || text.length > headingCharactersMax) return undefined
  const level = headings.findIndex((each) => Math.abs(each - size) <= sizeTolerance)
  if (level !== -1) return level + 1
  const isShort = group.length === 1 && text.length <= boldHeadingCharactersMax
  const stands = isShort && group.every(isBold) && size >= body - sizeTolerance
  return stands && !/[.,;]$/.test(text) ? headings.length + 1 : undefined
}

/** With its indentation and its gaps: a space for each width of a letter. */
function codeOf(lines: readonly TextSegment[]): string {
  const left = Math.min(...lines.map((line) => line.left))
  return lines
    .map(({ runs }) => {
      const letters = runs.reduce((sum, { text }) => sum + text.length, 0)
      const width = runs.reduce((sum, run) => sum + run.right - run.left, 0) / letters
      let text = ''
      let end = left
      for (const run of runs) {
        text += ' '.repeat(Math.max(0, Math.round((run.left - end) / width))) + run.text
        end = run.right
      }
      return text.trimEnd()
    })
    .join('\n')
}

/** An empty line within code does not end it. */
function joinCode(blocks: readonly DocumentBlock[]): DocumentBlock[] {
  const joined: DocumentBlock[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    if (block.kind === 'code' && last?.kind === 'code')
      joined[joined.length - 1] = { kind: 'code', text: `${last.text}\n\n${block.text}` }
    else joined.push(block)
  }
  return joined
}
