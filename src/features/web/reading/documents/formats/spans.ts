// Tables with merged cells as plain grids: a merged cell's text is in each place that it covers.
import { widthOf } from '../blocks.ts'
import type { TableRows } from '../document.ts'

export interface SpanningCell {
  readonly text: string
  /** How many columns it covers. */
  readonly columns: number
  /** It belongs to the cell above. */
  readonly continuesAbove: boolean
}

/** Spans are only numbers in a file. Honest tables are narrower. */
const columnsMax = 1_000

export function spanRows(rows: readonly (readonly SpanningCell[])[]): TableRows {
  const grid: string[][] = []
  for (const row of rows) {
    const above = grid.at(-1) ?? []
    const cells: string[] = []
    for (const { text, columns, continuesAbove } of row) {
      const value = continuesAbove ? (above[cells.length] ?? text) : text
      const span = Number.isInteger(columns) && columns > 0 ? columns : 1
      for (let count = 0; count < span && cells.length < columnsMax; count += 1) cells.push(value)
    }
    grid.push(cells)
  }
  const width = widthOf(grid)
  return grid.map((row) => [...row, ...Array<string>(width - row.length).fill('')])
}
