// The text and lines of a page become blocks in reading order.
import type { DocumentBlock } from '../blocks.ts'
import { toReadingOrder } from './columns.ts'
import { toSegments } from './lines.ts'
import { type TypeSizes, toBlocks } from './paragraphs.ts'
import { findRuledTables } from './ruled-tables.ts'
import type { Box, Rule, TextRun } from './text-run.ts'

export interface PageLayout {
  readonly width: number
  readonly height: number
  readonly runs: readonly TextRun[]
  readonly rules: readonly Rule[]
}

/** A rule of less than this length, in points, separates nothing. */
const wallLengthMin = 100

export function layOut({ runs, rules }: PageLayout, sizes: TypeSizes): DocumentBlock[] {
  const tables = findRuledTables(rules, runs)
  const free = runs.filter((run) => !tables.some((table) => isInside(run, table)))
  const walls = rules.filter((rule) => rule.isHorizontal && rule.right - rule.left > wallLengthMin)
  const groups = toReadingOrder([...toSegments(free), ...tables], walls)
  return groups.flatMap((group) => toBlocks(group, rules, sizes))
}

function isInside(run: TextRun, { left, right, top, bottom }: Box): boolean {
  const x = (run.left + run.right) / 2
  const y = (run.top + run.bottom) / 2
  return x > left && x < right && y > top && y < bottom
}

const headingSizeMin = 1.12
const headingLevels = 5

/** Most characters of a document are of the body's size. Larger ones are headings, by rank. */
export function typeSizesOf(runs: readonly TextRun[]): TypeSizes {
  const characters = new Map<number, number>()
  for (const { text, size } of runs) {
    const rounded = Math.round(size * 2) / 2
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.trim().length)
  }
  const body = [...characters].sort((one, other) => other[1] - one[1])[0]?.[0] ?? 0
  const headings = [...characters.keys()]
    .filter((size) => size > body * headingSizeMin)
    .sort((one, other) => other - one)
    .slice(0, headingLevels)
  return { body, headings }
}
