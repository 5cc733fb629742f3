// The parts of a page in reading order, and how they are written as Markdown.
import type { TableRows } from './document.ts'

/** Texts are Markdown already, except those of code and of table cells. */
export type DocumentBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | {
      readonly kind: 'item'
      /** 0 for the outermost list. */
      readonly depth: number
      /** `-`, or a number with its full stop. */
      readonly marker: string
      readonly text: string
    }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: TableRows }
  /** Markdown from another writer. */
  | { readonly kind: 'markdown'; readonly text: string }

const headingLevelMax = 6

export function writeBlocks(blocks: readonly DocumentBlock[]): string {
  let written = ''
  let before: DocumentBlock | undefined
  for (const block of blocks) {
    const text = writeBlock(block)
    if (text === '') continue
    const isSameList = before?.kind === 'item' && block.kind === 'item'
    written += `${written === '' ? '' : isSameList ? '\n' : '\n\n'}${text}`
    before = block
  }
  return written
}

function writeBlock(block: DocumentBlock): string {
  switch (block.kind) {
    case 'heading': {
      const text = oneLine(block.text)
      return text && `${'#'.repeat(Math.min(block.level, headingLevelMax))} ${text}`
    }
    case 'paragraph':
    case 'markdown':
      return block.text.trim()
    case 'item': {
      const indent = '  '.repeat(block.depth)
      const text = block.text.trim().replace(/\n/g, `\n${indent}  `)
      return text && `${indent}${block.marker} ${text}`
    }
    case 'code':
      return writeCode(block.text)
    case 'table':
      return writeTable(block.rows)
  }
}

function writeCode(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

function writeTable([head, ...body]: TableRows): string {
  if (head === undefined || head.length === 0) return ''
  return [head, head.map(() => '---'), ...body].map(writeRow).join('\n')
}

export function writeRow(cells: readonly string[]): string {
  return `| ${cells.map(writeCell).join(' | ')} |`
}

function writeCell(cell: string): string {
  return escapeInline(cell.trim())
    .replace(/\|/g, '\\|')
    .replace(/\s*\n\s*/g, '<br>')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Plain text as Markdown that shows the same text. */
export function escapeText(text: string): string {
  return escapeInline(text).replace(/^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s))/gm, '$1\\$2')
}

function escapeInline(text: string): string {
  return text
    .replace(/[\\`*]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)|(?<=\S)_(?![\p{L}\p{N}_])/gu, '\\_')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
}

/** Of the longest row. A table may have more rows than a function takes arguments. */
export const widthOf = (rows: TableRows) =>
  rows.reduce((most, { length }) => Math.max(most, length), 0)

/** Rows of the same length, without columns that are empty everywhere. */
export function evenRows(rows: TableRows): TableRows {
  const columns = widthOf(rows)
  const used = Array.from({ length: columns }, (_, column) =>
    rows.some((row) => (row[column] ?? '').trim() !== ''),
  )
  return rows.map((row) => used.flatMap((isUsed, column) => (isUsed ? [row[column] ?? ''] : [])))
}
