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
  const repeated = edgeLines(page).flatMap((lines) => {
    const heads = lines.filter((line) => isRepeated(line, near) || isRepeated(line, sameSide))
    return isApart(heads, page) ? heads : []
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

/** The head of a table that goes on is close to its rows. */
function isApart(heads: readonly TextSegment[], { runs }: PageLayout): boolean {
  const own = new Set(heads.flatMap((head) => head.runs))
  return heads.every((head) =>
    runs.every(
      (run) =>
        own.has(run) ||
        Math.abs(run.baseline - head.baseline) >= gapMin * Math.min(head.size, run.size),
    ),
  )
}
