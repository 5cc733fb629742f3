// Excel: one page for each sheet, more for a long one. Cells say what Excel shows, as far as that is data.
import { type DocumentBlock, escapeText, evenRows } from '../blocks.ts'
import type { OpenedDocument, PageContent, TableRows } from '../document.ts'
import { paginate } from '../paginate.ts'
import type { Archive } from './archive.ts'
import {
  mainPart,
  needPart,
  readPart,
  readProperties,
  readRelations,
  relationId,
} from './office.ts'
import { createNumberWriter, type NumberWriter } from './xlsx-numbers.ts'
import {
  childOf,
  decodeXml,
  elementsOf,
  isOn,
  parseXml,
  textOf,
  within,
  type XmlElement,
} from './xml.ts'

interface Sheet {
  readonly name: string
  readonly part: string
  readonly isHidden: boolean
}

interface Book {
  readonly archive: Archive
  readonly strings: readonly string[]
  readonly writeNumber: NumberWriter
}

export async function openXlsx(archive: Archive): Promise<OpenedDocument> {
  const main = await mainPart(archive)
  const workbook = await needPart(archive, main)
  const relations = await readRelations(archive, main)
  const partOf = (kind: string) =>
    [...relations.values()].find((each) => each.kind === kind)?.target
  const sheets = [...elementsOf(childOf(workbook, 'sheets'), 'sheet')].flatMap((sheet): Sheet[] => {
    const relation = relations.get(relationId(sheet) ?? '')
    const { name = '', state = 'visible' } = sheet.attributes
    // A sheet may be a chart, which has no cells.
    return relation?.kind === 'worksheet'
      ? [{ name, part: relation.target, isHidden: state !== 'visible' }]
      : []
  })
  const stylesPart = partOf('styles')
  const book: Book = {
    archive,
    strings: await readStrings(archive, partOf('sharedStrings')),
    writeNumber: createNumberWriter({
      styles: stylesPart === undefined ? undefined : await readPart(archive, stylesPart),
      isFrom1904: isOn(propertyOf(workbook, 'date1904')),
    }),
  }
  return {
    type: 'xlsx',
    metadata: await readProperties(archive),
    async *pages(first) {
      let number = 0
      for (const sheet of sheets)
        for await (const page of pagesOf(sheet, book)) {
          number += 1
          if (number >= first) yield page
        }
    },
  }
}

/** An attribute of the workbook's properties in the form of an on-off element. */
function propertyOf(workbook: XmlElement, name: string): XmlElement | undefined {
  const value = childOf(workbook, 'workbookPr')?.attributes[name]
  return value === undefined ? undefined : { name, attributes: { val: value }, children: [] }
}

async function readStrings(archive: Archive, part: string | undefined): Promise<string[]> {
  const bytes = part === undefined ? undefined : await archive.read(part)
  const strings: string[] = []
  if (bytes !== undefined)
    parseXml(bytes, { each: { name: 'si', take: (each) => strings.push(richText(each)) } })
  return strings
}

/** Without the phonetic guide of Japanese text. */
function richText(element: XmlElement): string {
  return [...elementsOf(element)]
    .map((part) => (part.name === 't' ? textOf(part) : part.name === 'r' ? richText(part) : ''))
    .join('')
}

async function* pagesOf({ name, part, isHidden }: Sheet, book: Book): AsyncIterable<PageContent> {
  const bytes = await book.archive.read(part)
  if (bytes === undefined) return
  const hidden = isHidden ? { isHidden } : {}
  let isEmpty = true
  for (const blocks of paginate(blocksOf(bytes, book))) {
    yield { title: name, blocks, ...hidden }
    isEmpty = false
  }
  if (isEmpty) yield { title: name, blocks: [], ...hidden }
}

/** Rows without an empty one between them are one table. A row with a single text is a paragraph, such as a table's title. */
function* blocksOf(bytes: Buffer, book: Book): Iterable<DocumentBlock> {
  let region: string[][] = []
  let lastRow = 0
  for (const [row, cells] of rowsOf(bytes, book)) {
    if (row > lastRow + 1) {
      yield* blocksOfRegion(region)
      region = []
    }
    region.push(cells)
    lastRow = row
  }
  yield* blocksOfRegion(region)
}

function* blocksOfRegion(rows: TableRows): Iterable<DocumentBlock> {
  const start = rows.findIndex((row) => new Set(row.filter((cell) => cell !== '')).size > 1)
  const titles = start === -1 && !isColumn(rows) ? rows : rows.slice(0, Math.max(0, start))
  for (const row of titles)
    yield { kind: 'paragraph', text: escapeText(row.find((cell) => cell !== '') ?? '') }
  const table = rows.slice(titles.length)
  if (table.length > 0) yield { kind: 'table', rows: evenRows(table) }
}

/** Several cells below each other, and nothing beside them. */
const isColumn = (rows: TableRows) => rows.length > 2

/** The rows that are not empty, with their numbers. */
function rowsOf(bytes: Buffer, book: Book): ReadonlyMap<number, string[]> {
  const grid = new Map<number, string[]>()
  let last = 0
  const take = (row: XmlElement) => {
    const number = Number(row.attributes.r ?? last + 1)
    last = Number.isInteger(number) ? number : last + 1
    const cells = cellsOf(row, book)
    if (cells.length > 0) grid.set(last, cells)
  }
  parseXml(bytes, { each: { name: 'row', take } })
  for (const range of mergedRanges(bytes)) fillRange(grid, range)
  return new Map([...grid].sort(([one], [other]) => one - other))
}

const columnsMax = 16_384

function cellsOf(row: XmlElement, book: Book): string[] {
  const cells: string[] = []
  let last = -1
  for (const cell of elementsOf(row, 'c')) {
    const column = columnOf(cell.attributes.r) ?? last + 1
    last = column
    const text = cellText(cell, book).trim()
    if (text === '' || column >= columnsMax) continue
    while (cells.length < column) cells.push('')
    cells[column] = text
  }
  return cells
}

/** `C7` is column 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** A formula has the value that was calculated last; without one, the formula is shown. */
function cellText(cell: XmlElement, { strings, writeNumber }: Book): string {
  const { t: type = 'n', s: style = '0' } = cell.attributes
  if (type === 'inlineStr') return [...within(cell, 'is')].map(richText).join('')
  const value = textOf(childOf(cell, 'v'))
  if (value === '') {
    const formula = textOf(childOf(cell, 'f'))
    return formula === '' ? '' : `=${formula}`
  }
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  return type === 'n' ? writeNumber(value, Number(style)) : value
}

interface Range {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** They stand after the cells that they merge. */
function* mergedRanges(bytes: Buffer): Iterable<Range> {
  const text = decodeXml(bytes)
  for (const [, from, top, to, bottom] of text.matchAll(
    /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g,
  ))
    yield {
      ...{ left: columnOf(from) ?? 0, right: columnOf(to) ?? 0 },
      ...{ top: Number(top), bottom: Number(bottom) },
    }
}

/** A larger one merges empty space. */
const mergedCellsMax = 10_000

function fillRange(grid: Map<number, string[]>, { top, bottom, left, right }: Range): void {
  const text = grid.get(top)?.[left] ?? ''
  if (text === '' || (bottom - top + 1) * (right - left + 1) > mergedCellsMax) return
  for (let row = top; row <= bottom; row += 1) {
    const cells = grid.get(row) ?? []
    while (cells.length <= right) cells.push('')
    cells.fill(text, left, right + 1)
    grid.set(row, cells)
  }
}
