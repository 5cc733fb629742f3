// Headers and footers that pages repeat, and page numbers, are not part of the text.

import type { PageLayout } from './layout.ts'
import { linesOf, toSegment } from './lines.ts'
import type { TextRun, TextSegment } from './text-run.ts'

/** Pages on each side that a page is compared with: left and right pages may have heads of their own. */
export const neighbours = 4
/** A page is compared with those next to it, and with those of its own side. */
const near: ReadonlySet<number> = new Set([1, 2])
const sameSide: ReadonlySet<number> = new Set([2, 4])
const edgeLinesMax = 3
/** The share of the page's height in which heads stand. */
const edgeHeight = 0.2
const placeTolerancePt = 5
/** In font sizes, from a head to the text: more than from line to line. */
const gapMin = 1.6

export interface NeighbourPage {
  readonly layout: PageLayout
  /** In pages. */
  readonly distance: number
}

/** The page without the lines at its edges that its neighbours have too, at the same height. Numbers may differ. */
export function withoutRunningHeads(
  page: PageLayout,
  others: readonly NeighbourPage[],
): PageLayout {
  if (others.length === 0) return page
  const edges = others.map(({ layout, distance }) => ({
    distance,
    lines: edgeLines(layout).flat(),
  }))
  const isRepeated = (line: TextSegment, distances: ReadonlySet<number>) => {
    const compared = edges.filter(({ distance }) => distances.has(distance))
    const same = compared.filter(({ lines }) => lines.some((each) => isSame(line, each)))
    return same.length >= (compared.length > 2 || distances === sameSide ? 2 : 1)
  }
  const repeated = edgeLines(page).flatMap((lines, side) => {
    const heads = lines.filter((line) => isRepeated(line, near) || isRepeated(line, sameSide))
    // The lines that are nearest to the text may be rows of a table.
    for (let count = heads.length; count > 0; count -= 1) {
      const outermost = side === 0 ? heads.slice(0, count) : heads.slice(-count)
      if (isApart(outermost, page)) return outermost
    }
    return []
  })
  const dropped = new Set<TextRun>(repeated.flatMap(({ runs }) => runs))
  return dropped.size === 0 ? page : { ...page, runs: page.runs.filter((run) => !dropped.has(run)) }
}

/** The lines at the top and those at the bottom. */
function edgeLines({ runs, height }: PageLayout): TextSegment[][] {
  const lines = linesOf(runs)
    .map(toSegment)
    .sort((one, other) => one.top - other.top)
  return [
    lines.slice(0, edgeLinesMax).filter(({ bottom }) => bottom < height * edgeHeight),
    lines.slice(-edgeLinesMax).filter(({ top }) => top > height * (1 - edgeHeight)),
  ]
}

const isSame = (one: TextSegment, other: TextSegment) =>
  Math.abs(one.baseline - other.baseline) < placeTolerancePt && shapeOf(one) === shapeOf(other)

const shapeOf = ({ text }: TextSegment) =>
  text
    .replace(/\d+|^[ivxlc]+$/gi, '#')
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** The head of a table that goes on is close to its rows, and the last row of a table stands in its columns. */
function isApart(heads: readonly TextSegment[], { runs }: PageLayout): boolean {
  const own = new Set(heads.flatMap((head) => head.runs))
  const others = runs.filter((run) => !own.has(run))
  return heads.every(
    (head) =>
      others.every(
        (run) => Math.abs(run.baseline - head.baseline) >= gapMin * Math.min(head.size, run.size),
      ) && !isRow(head, others),
  )
}

/** In distances between the rows before it. */
const rowGapMax = 1.5
const edgeTolerancePt = 2

/** Whether the texts of the line begin or end where those of the nearest line do, at the distance of a row. */
function isRow({ runs, baseline }: TextSegment, others: readonly TextRun[]): boolean {
  const [nearest = [], next = []] = linesOf(others).toSorted(
    (one, other) => distanceOf(one, baseline) - distanceOf(other, baseline),
  )
  const pitch = distanceOf(next, baseline) - distanceOf(nearest, baseline)
  if (distanceOf(nearest, baseline) > rowGapMax * pitch) return false
  const shared = runs.filter(({ left, right }) =>
    nearest.some(
      (run) =>
        Math.abs(run.left - left) <= edgeTolerancePt ||
        Math.abs(run.right - right) <= edgeTolerancePt,
    ),
  )
  return shared.length >= sharedMin
}

const sharedMin = 2

function distanceOf([first]: readonly TextRun[], baseline: number): number {
  return first === undefined ? Number.POSITIVE_INFINITY : Math.abs(first.baseline - baseline)
}
