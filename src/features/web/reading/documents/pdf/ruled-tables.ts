// Tables that are drawn with lines. The lines make a grid; where a line is missing, cells are merged.
import type { TableRows } from '../document.ts'
import { joinLines, joinRuns, linesOf } from './lines.ts'
import { type Box, boxOf, mergeNear, type Rule, type TextRun } from './text-run.ts'

export interface PageTable extends Box {
  readonly rows: TableRows
}

/** Lines that are closer than this, in points, touch. */
const touch = 3
/** A grid with less text than this share of cells is a chart. */
const filledMin = 0.3
const rulesMax = 4_000
const cellsMax = 20_000

export function findRuledTables(
  rules: readonly Rule[],
  runs: readonly TextRun[],
): readonly PageTable[] {
  if (rules.length > rulesMax) return []
  return connect(rules).flatMap((group) => tableOf(group, runs) ?? [])
}

/** Rules that touch each other, directly or through others. */
function connect(rules: readonly Rule[]): Rule[][] {
  const left = new Set(rules)
  const groups: Rule[][] = []
  for (const first of rules) {
    if (!left.delete(first)) continue
    const group = [first]
    for (const rule of group)
      for (const other of left)
        if (isTouching(rule, other)) {
          left.delete(other)
          group.push(other)
        }
    groups.push(group)
  }
  return groups
}

const isTouching = (one: Box, other: Box) =>
  one.left - touch <= other.right &&
  other.left - touch <= one.right &&
  one.top - touch <= other.bottom &&
  other.top - touch <= one.bottom

function tableOf(group: readonly Rule[], runs: readonly TextRun[]): PageTable | undefined {
  const horizontal = group.filter(({ isHorizontal }) => isHorizontal)
  const vertical = group.filter(({ isHorizontal }) => !isHorizontal)
  if (horizontal.length < 2 || vertical.length === 0) return undefined
  const box = boxOf(group)
  // A table without lines at its sides still ends where its lines end.
  const xs = mergeNear([box.left, box.right, ...vertical.map(({ left }) => left)], touch)
  const ys = mergeNear([box.top, box.bottom, ...horizontal.map(({ top }) => top)], touch)
  const columns = xs.length - 1
  const rowCount = ys.length - 1
  if (columns < 2 || rowCount < 2 || columns * rowCount > cellsMax) return undefined
  const texts = fillGrid({ xs, ys, horizontal, vertical }, runs)
  const filled = texts.filter((text) => text !== '').length
  if (filled < texts.length * filledMin) return undefined
  const rows = Array.from({ length: rowCount }, (_, row) =>
    texts.slice(row * columns, (row + 1) * columns),
  )
  return { ...box, rows }
}

interface Grid {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
  readonly horizontal: readonly Rule[]
  readonly vertical: readonly Rule[]
}

/** The text of each cell, row after row. A merged cell's text is in each place that it covers. */
function fillGrid(grid: Grid, runs: readonly TextRun[]): string[] {
  const cells = mergedCells(grid)
  const columns = grid.xs.length - 1
  const contents = new Map<number, TextRun[]>()
  for (const run of runs) {
    const column = place(grid.xs, (run.left + run.right) / 2)
    const row = place(grid.ys, (run.top + run.bottom) / 2)
    const cell =
      column === undefined || row === undefined ? undefined : cells[row * columns + column]
    if (cell === undefined) continue
    contents.set(cell, [...(contents.get(cell) ?? []), run])
  }
  return cells.map((cell) => joinLines(linesOf(contents.get(cell) ?? []).map(joinRuns)))
}

function place(edges: readonly number[], at: number): number | undefined {
  const after = edges.findIndex((edge) => edge > at)
  return after > 0 ? after - 1 : undefined
}

/** For each place of the grid, the first place of the cell that covers it. */
function mergedCells({ xs, ys, horizontal, vertical }: Grid): number[] {
  const columns = xs.length - 1
  const cells = Array.from({ length: columns * (ys.length - 1) }, (_, index) => index)
  const rename = (from: number, to: number) => {
    for (const [index, cell] of cells.entries()) if (cell === from) cells[index] = to
  }
  for (const index of cells.keys()) {
    const column = index % columns
    const row = (index - column) / columns
    const middle = ((xs[column] ?? 0) + (xs[column + 1] ?? 0)) / 2
    const centre = ((ys[row] ?? 0) + (ys[row + 1] ?? 0)) / 2
    const isOpenRight =
      column + 1 < columns && !vertical.some((rule) => crosses(rule, xs[column + 1] ?? 0, centre))
    const isOpenBelow =
      row + 2 < ys.length && !horizontal.some((rule) => crosses(rule, middle, ys[row + 1] ?? 0))
    if (isOpenRight) rename(cells[index + 1] ?? 0, cells[index] ?? 0)
    if (isOpenBelow) rename(cells[index + columns] ?? 0, cells[index] ?? 0)
  }
  return cells
}

const crosses = (rule: Rule, x: number, y: number) =>
  rule.left - touch <= x &&
  x <= rule.right + touch &&
  rule.top - touch <= y &&
  y <= rule.bottom + touch
