// Tables as GitHub writes them: a cell is a line, and the text of a merged cell is in each place that it covers.
import type { ContentElement, ContentNode } from '../content/nodes.ts'
import { cellsOf, isCell, isElement, isSection, rowsOf } from '../content/nodes.ts'
import { flatten } from './block-nodes.ts'
import type { Written } from './blocks.ts'
import { type InlineContext, writeInline } from './inline.ts'

/** What does not fit into a cell. */
const largeBlocks: ReadonlySet<string> = new Set(
  'table pre h1 h2 h3 h4 h5 h6 blockquote hr'.split(' '),
)
const columnsMax = 100
const cellsMax = 50_000
const repeatedCharactersMax = 100

export function writeTable(
  table: ContentElement,
  context: InlineContext,
  writeBlocks: (nodes: readonly ContentNode[], context: InlineContext) => Written[],
): Written[] {
  const rows = rowsOf(table)
  if (isLayout(table, rows)) return writeBlocks(table.children, context)
  const captions = table.children.filter((child) => isElement(child) && child.name === 'caption')
  const before = writeBlocks(captions, context)
  const grid = spread(rows, (cell) => writeCell(cell, context)).filter((row) =>
    row.some((text) => text !== ''),
  )
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0)
  const [head, ...body] = grid.map(
    (row) =>
      `| ${Array.from({ length: width }, (_each, column) => row[column] ?? '').join(' | ')} |`,
  )
  if (head === undefined) return before
  return [...before, { text: [head, `|${' --- |'.repeat(width)}`, ...body].join('\n') }]
}

/**
 * Tables that only place things: one column, or cells that hold headings, listings or tables, and no cell is a header.
 */
function isLayout(table: ContentElement, rows: readonly ContentElement[]): boolean {
  const { attributes } = table
  if (/^(?:presentation|none)$/.test(attributes.get('role') ?? '')) return true
  if (hasStray(table, isTablePart) || rows.some((row) => hasStray(row, isCell))) return true
  const cells = rows.map(cellsOf)
  if (cells.flat().some(({ name }) => name === 'th')) return false
  const filled = cells.map((row) => row.filter(({ children }) => children.length > 0).length)
  return filled.every((count) => count <= 1) || cells.flat().some(holdsLargeBlock)
}

function isTablePart(child: ContentElement): boolean {
  return isSection(child) || ['caption', 'colgroup', 'tr'].includes(child.name)
}

/** Whether something stands between the rows or cells. */
function hasStray(
  { children }: ContentElement,
  isPart: (child: ContentElement) => boolean,
): boolean {
  return children.some((child) => {
    if (typeof child === 'string') return child.trim() !== ''
    return !isPart(child) || (isSection(child) && hasStray(child, isTablePart))
  })
}

function holdsLargeBlock({ children }: ContentElement): boolean {
  return children.some(
    (child) => isElement(child) && (largeBlocks.has(child.name) || holdsLargeBlock(child)),
  )
}

function writeCell({ children }: ContentElement, context: InlineContext): string {
  return writeInline(flatten(children), context).replace(/\s+/g, ' ').replaceAll('|', '\\|')
}

/**
 * Rows with a place for each column. A merged cell is written in each of its places, so that each row can be read by
 * itself; a long text, or a cell that is all of its row, is written once and leaves its other places empty.
 */
function spread(
  rows: readonly ContentElement[],
  write: (cell: ContentElement) => string,
): (string | undefined)[][] {
  const grid: (string | undefined)[][] = rows.map(() => [])
  let left = cellsMax
  rows.forEach((row, index) => {
    let column = 0
    const cells = cellsOf(row)
    for (const cell of cells) {
      while (grid[index]?.[column] !== undefined) column += 1
      const text = write(cell)
      const width = Math.min(spanOf(cell, 'colspan'), columnsMax - column)
      const height = Math.min(spanOf(cell, 'rowspan'), rows.length - index)
      const isSpread = width > 0 && width * height <= left
      const copy = cells.length > 1 && text.length <= repeatedCharactersMax ? text : ''
      if (isSpread)
        for (let down = 0; down < height; down += 1)
          for (let right = 0; right < width; right += 1)
            (grid[index + down] as (string | undefined)[])[column + right] ??= copy
      left -= isSpread ? width * height : 1
      ;(grid[index] as (string | undefined)[])[column] = text
      column += isSpread ? width : 1
    }
  })
  return grid
}

function spanOf({ attributes }: ContentElement, name: string): number {
  const written = attributes.get(name) ?? ''
  const span = /^\d{1,5}$/.test(written) ? Number(written) : 1
  // A row span of 0 reaches to the end of the table.
  return span === 0 ? (name === 'rowspan' ? Number.MAX_SAFE_INTEGER : 1) : span
}
