// Reading order: a page whose text stands in columns is read column by column, between the parts that span them.

import type { PageTable } from './ruled-tables.ts'
import { type Box, boxOf, type TextSegment } from './text-run.ts'

export type Piece = TextSegment | PageTable

const columnDepthMax = 3
/** A column has at least so many lines; the last one of a text may be shorter. */
const linesMin = 4
const shortColumnLinesMin = 2
const gutterStepPt = 2
const gutterWidthMin = 5
/** A gutter is not nearer to the sides of the text. */
const gutterMarginShare = 0.2
const crossingShareMax = 0.5
/** A page number may stand in a gutter. */
const crossingSlackMin = 2
const crossingSlackShare = 0.05
/** Lines of text fill their column; the cells of a table do not. */
const fullLineShare = 0.6
const fullLineCharactersMin = 22
const fullLinesMin = 2
const fullLinesShare = 0.35

/** Groups of pieces in reading order. The pieces of a group stand in one column. `walls` are what no column crosses. */
export function toReadingOrder(
  pieces: readonly Piece[],
  walls: readonly Box[],
  depth = 0,
): Piece[][] {
  if (pieces.length < 2 * linesMin || depth >= columnDepthMax) return [[...pieces]]
  const gutter = findGutter(pieces)
  if (gutter === undefined) return [[...pieces]]
  const isCrossing = ({ left, right }: Box) => left < gutter - 1 && right > gutter + 1
  const crossing = [...pieces, ...walls]
    .filter(isCrossing)
    .sort((one, other) => one.top - other.top)
  const groups: Piece[][] = []
  let open: Piece[] = []
  const close = () => {
    if (open.length > 0) groups.push(open)
    open = []
  }
  let rest = pieces.filter((piece) => !isCrossing(piece))
  const takeBand = (before: number) => {
    const band = rest.filter((piece) => middleOf(piece) < before)
    rest = rest.filter((piece) => middleOf(piece) >= before)
    const left = band.filter((piece) => piece.right <= gutter + 1)
    const right = band.filter((piece) => piece.right > gutter + 1)
    if (isProse(left) && isProse(right)) {
      close()
      groups.push(
        ...toReadingOrder(left, walls, depth + 1),
        ...toReadingOrder(right, walls, depth + 1),
      )
    } else open.push(...band)
  }
  for (const piece of crossing) {
    takeBand(middleOf(piece))
    if (!walls.includes(piece)) open.push(piece as Piece)
  }
  takeBand(Number.POSITIVE_INFINITY)
  close()
  return groups
}

const middleOf = ({ top, bottom }: Box) => (top + bottom) / 2

/** Enough of its lines are long and fill the column. */
function isProse(pieces: readonly Piece[]): boolean {
  const { left, right } = boxOf(pieces)
  const segments = pieces.flatMap((piece) => ('rows' in piece ? [] : [piece]))
  const lines = [...Map.groupBy(segments, ({ baseline }) => Math.round(baseline)).values()]
  const full = lines.filter(
    (line) =>
      line.reduce((sum, { text }) => sum + text.length, 0) >= fullLineCharactersMin &&
      boxOf(line).right - boxOf(line).left >= fullLineShare * (right - left),
  )
  return full.length >= Math.max(fullLinesMin, lines.length * fullLinesShare)
}

/** The middle of the widest strip that few pieces cross, with text on both of its sides. */
function findGutter(pieces: readonly Piece[]): number | undefined {
  const { left, right } = boxOf(pieces)
  const margin = (right - left) * gutterMarginShare
  const places: { readonly x: number; readonly crossing: number }[] = []
  for (let x = left + margin; x <= right - margin; x += gutterStepPt) {
    const before = pieces.filter((piece) => piece.right <= x).length
    const after = pieces.filter((piece) => piece.left >= x).length
    const hasText =
      Math.max(before, after) >= linesMin && Math.min(before, after) >= shortColumnLinesMin
    places.push({ x, crossing: hasText ? pieces.length - before - after : pieces.length })
  }
  const fewest = Math.min(...places.map(({ crossing }) => crossing))
  if (fewest > pieces.length * crossingShareMax) return undefined
  const most = fewest + Math.max(crossingSlackMin, pieces.length * crossingSlackShare)
  let best: readonly number[] = []
  let strip: number[] = []
  for (const { x, crossing } of places) {
    strip = crossing <= most ? [...strip, x] : []
    if (strip.length > best.length) best = strip
  }
  const [first, last] = [best[0], best.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return last - first + gutterStepPt < gutterWidthMin ? undefined : (first + last) / 2
}
