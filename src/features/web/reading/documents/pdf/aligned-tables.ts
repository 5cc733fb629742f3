// Tables without a grid: rows of texts that stand below each other in columns, perhaps between horizontal lines.
import { joinRuns } from './lines.ts'
import { isListMarker } from './list-marker.ts'
import type { PageTable } from './ruled-tables.ts'
import { type Box, boxOf, median, type Rule, type TextSegment } from './text-run.ts'

/** A row of segments at the same height. */
export type TextRow = readonly TextSegment[]

const rowsMin = 3
/** Between lines, a table may be as short as its head and one row. */
const rowsBetweenRulesMin = 2
/** In font sizes. A table's rows are not further apart. */
const rowGapMax = 3
/** A row this much further from the next than the others is a heading above the table. */
const headingGap = 1.7
const continuationGapMax = 1.45
const continuationTolerancePt = 2
/** Rows of one text within a table, such as the head of a group. */
const loneRowsMax = 2
/** In points, between the rows of a table. */
const sizeDifferenceMax = 1.2

/** Splits the rows of one column of a page into tables and the rows around them, in order. */
export function splitTables(
  rows: readonly TextRow[],
  rules: readonly Rule[],
): (PageTable | TextRow)[] {
  const parts: (PageTable | TextRow)[] = []
  let index = 0
  while (index < rows.length) {
    const stop = endOfTable(rows, index)
    const found = rows.slice(index, stop)
    const table = stop === index || startsWithHeading(found) ? undefined : tableOf(found, rules)
    if (table === undefined) {
      const row = rows[index]
      if (row !== undefined) parts.push(row)
      index += 1
    } else {
      parts.push(table)
      index = stop
    }
  }
  return parts
}

/** The rows from `start` to before the result may be a table. */
function endOfTable(rows: readonly TextRow[], start: number): number {
  if ((rows[start]?.length ?? 0) < 2) return start
  let end = start + 1
  let secondLeft = rows[start]?.[1]?.left ?? 0
  for (let index = start + 1; index < rows.length; index += 1) {
    const row = rows[index]
    const gap = topOf(row) - bottomOf(rows[index - 1])
    if (gap > rowGapMax * sizeOf(row)) break
    if (Math.abs(sizeOf(row) - sizeOf(rows[start])) > sizeDifferenceMax) break
    if (row !== undefined && row.length > 1) {
      secondLeft = Math.min(secondLeft, row[1]?.left ?? 0)
      end = index + 1
    } else if (isContinuation(row, rows[index - 1], secondLeft)) end = index + 1
    else if (index - end >= loneRowsMax) break
  }
  return end
}

function startsWithHeading(rows: readonly TextRow[]): boolean {
  const starts = rows.filter((row) => row.length > 1)
  const [first = 0, ...gaps] = starts
    .slice(1)
    .map((row, index) => baselineOf(row) - baselineOf(starts[index]))
  return gaps.length > 0 && first > headingGap * Math.max(...gaps)
}

/** One more line of a cell that is not in the first column. */
const isContinuation = (
  row: TextRow | undefined,
  before: TextRow | undefined,
  secondLeft: number,
) =>
  (row?.[0]?.left ?? 0) > secondLeft - continuationTolerancePt &&
  baselineOf(row) - baselineOf(before) <= continuationGapMax * sizeOf(row)

const topOf = (row: TextRow | undefined) => Math.min(...(row ?? []).map(({ top }) => top))
const bottomOf = (row: TextRow | undefined) => Math.max(...(row ?? []).map(({ bottom }) => bottom))
const baselineOf = (row: TextRow | undefined) => row?.[0]?.baseline ?? 0
const sizeOf = (row: TextRow | undefined) => row?.[0]?.size ?? 0

interface Column {
  left: number
  right: number
}

function tableOf(rows: readonly TextRow[], rules: readonly Rule[]): PageTable | undefined {
  const box = boxOf(rows.flat())
  const lines = rules.filter(
    (rule) =>
      rule.isHorizontal &&
      rule.right - rule.left > (box.right - box.left) * 0.6 &&
      rule.left < box.right &&
      rule.right > box.left &&
      rule.top > box.top - 2 * sizeOf(rows[0]) &&
      rule.bottom < box.bottom + 2 * sizeOf(rows.at(-1)),
  )
  const multiple = rows.filter((row) => row.length > 1)
  if (multiple.length < (lines.length >= 2 ? rowsBetweenRulesMin : rowsMin)) return undefined
  if (lines.length < 2 && isJustified(multiple, box)) return undefined
  const columns = columnsOf(multiple)
  if (columns.length < 2) return undefined
  if (multiple.every((row) => isListMarker(row[0]?.text ?? ''))) return undefined
  const gaps = lines.length >= 4 ? lines.map(({ top }) => top) : undefined
  const cells = joinContinuations(rows, columns, gaps)
  return { ...box, rows: cells }
}

const flushTolerancePt = 3
const flushShareMin = 0.6
/** In font sizes: the first line of a paragraph may be indented. */
const indentMax = 3
const alignedShareMin = 0.5

/** Lines of justified text with wide gaps: they reach both sides of their column, and their gaps are anywhere. */
function isJustified(rows: readonly TextRow[], { left, right }: Box): boolean {
  const flush = rows.filter((row) => {
    const last = row.at(-1)
    return (
      (row[0]?.left ?? 0) - left <= indentMax * sizeOf(row) &&
      Math.abs((last?.right ?? 0) - right) <= flushTolerancePt &&
      /\p{L}{2}/u.test(last?.text ?? '')
    )
  })
  if (flush.length < rows.length * flushShareMin) return false
  const starts = rows.map((row) => row[1]?.left ?? 0)
  const most = Math.max(
    ...starts.map(
      (one) => starts.filter((other) => Math.abs(one - other) <= flushTolerancePt).length,
    ),
  )
  return most <= starts.length * alignedShareMin
}

/** From the rows with the usual number of segments; heads that span columns have fewer. */
function columnsOf(rows: readonly TextRow[]): Column[] {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const usual = [...counts].reduce((one, other) =>
    other[1] > one[1] || (other[1] === one[1] && other[0] > one[0]) ? other : one,
  )[0]
  const columns: Column[] = []
  const segments = rows
    .filter((row) => row.length === usual)
    .flat()
    .sort((one, other) => one.left - other.left)
  for (const { left, right } of segments) {
    const last = columns.at(-1)
    if (last !== undefined && left < last.right) last.right = Math.max(last.right, right)
    else columns.push({ left, right })
  }
  return columns
}

function joinContinuations(
  rows: readonly TextRow[],
  columns: readonly Column[],
  rules: readonly number[] | undefined,
): string[][] {
  const gaps = rows.slice(1).map((row, index) => baselineOf(row) - baselineOf(rows[index]))
  const firstRight = columns[1]?.left ?? 0
  const startGap = median(gaps.filter((_, index) => (rows[index + 1]?.[0]?.left ?? 0) < firstRight))
  const table: string[][] = []
  for (const [index, row] of rows.entries()) {
    const cells = Array.from(columns.keys(), (place) =>
      joinRuns(row.flatMap(({ runs }) => runs.filter((run) => placeOf(run, columns) === place))),
    )
    const before = table.at(-1)
    const gap = gaps[index - 1] ?? 0
    const isSameRow =
      rules === undefined
        ? cells[0] === '' && gap < startGap * 0.9
        : !rules.some((y) => y > baselineOf(rows[index - 1]) && y < baselineOf(row))
    const isOneCell = cells[0] === '' && cells.filter((text) => text !== '').length === 1
    const isWrapped = isOneCell && gap <= continuationGapMax * sizeOf(row)
    if (before !== undefined && (isSameRow || (isWrapped && rules === undefined)))
      for (const [place, text] of cells.entries()) before[place] = `${before[place]} ${text}`.trim()
    else table.push(cells)
  }
  return table
}

/** The column that a text overlaps most, or is nearest to. */
function placeOf(segment: Box, columns: readonly Column[]): number {
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (const [place, { left, right }] of columns.entries()) {
    const overlap = Math.min(segment.right, right) - Math.max(segment.left, left)
    if (overlap > most) {
      best = place
      most = overlap
    }
  }
  return best
}
