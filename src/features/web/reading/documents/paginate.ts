// Cuts what flows into pages of a bounded length. A table that is cut has its head on each page.
import { type DocumentBlock, writeRow } from './blocks.ts'
import type { TableRows } from './document.ts'

/** No page of an answer is longer, except a page of a PDF and a single block. */
const pageCharactersMax = 20_000

export type Flow = Iterable<DocumentBlock | 'page break'>

/** The blocks of page after page. A page break counts once there is something on the page. */
export function* paginate(
  flow: Flow,
  charactersMax = pageCharactersMax,
): Generator<DocumentBlock[]> {
  let page: DocumentBlock[] = []
  let characters = 0
  for (const part of flow) {
    if (part === 'page break') {
      if (page.length > 0) yield page
      page = []
      characters = 0
      continue
    }
    for (const block of part.kind === 'table' ? cutTable(part.rows, charactersMax) : [part]) {
      const length = lengthOf(block)
      if (page.length > 0 && characters + length > charactersMax) {
        const kept = withoutLastHeadings(page)
        yield page.slice(0, kept)
        page = page.slice(kept)
        characters = page.reduce((sum, each) => sum + lengthOf(each), 0)
      }
      page.push(block)
      characters += length
    }
  }
  if (page.length > 0) yield page
}

/** How many blocks stay: a heading belongs to what follows it, unless the page has nothing else. */
function withoutLastHeadings(page: readonly DocumentBlock[]): number {
  return page.findLastIndex(({ kind }) => kind !== 'heading') + 1 || page.length
}

function lengthOf(block: DocumentBlock): number {
  return block.kind === 'table'
    ? block.rows.reduce((sum, row) => sum + writeRow(row).length + 1, 0)
    : block.text.length + 2
}

function* cutTable(rows: TableRows, charactersMax: number): Generator<DocumentBlock> {
  const [head = [], ...body] = rows
  const headLength = writeRow(head).length
  let piece = [head]
  let characters = headLength
  for (const row of body) {
    const length = writeRow(row).length + 1
    if (piece.length > 1 && characters + length > charactersMax) {
      yield { kind: 'table', rows: piece }
      piece = [head]
      characters = headLength
    }
    piece.push(row)
    characters += length
  }
  yield { kind: 'table', rows: piece }
}
