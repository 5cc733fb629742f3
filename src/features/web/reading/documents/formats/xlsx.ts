// Excel: one page for each sheet, more for a long one. Cells say what Excel shows, as far as that is data.
import { type DocumentBlock, escapeText, evenRows } from '../blocks.ts'
import type { OpenedDocument, PageContent } from '../document.ts'
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

/** Excel writes control characters by their numbers, and a text that looks like one too. */
function readEscapes(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_all, code: string) =>
    /000d/i.test(code) ? '' : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Without the phonetic guide of Japanese text. */
function richText(element: XmlElement): string {
  return [...elementsOf(element)]
    .map((part) =>
      part.name === 't' ? readEscapes(textOf(part)) : part.name === 'r' ? richText(part) : '',
    )
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

interface SheetRow {
  readonly number: number
  readonly cells: string[]
  /** Only one of its cells has content, which may be merged with others. */
  readonly isLone: boolean
}

/**
 * Rows without an empty one between them are one table. A row with a single text is a paragraph, such as a table's
 * title.
 */
function* blocksOf(bytes: Buffer, book: Book): Iterable<DocumentBlock> {
  let region: SheetRow[] = []
  for (const row of rowsOf(bytes, book)) {
    if (row.number > (region.at(-1)?.number ?? 0) + 1) {
      yield* blocksOfRegion(region)
      region = []
    }
    region.push(row)
  }
  yield* blocksOfRegion(region)
}

/** More cells below each other, with nothing beside them, are a table of one column. */
const titleRowsMax = 2

function* blocksOfRegion(rows: readonly SheetRow[]): Iterable<DocumentBlock> {
  const start = rows.findIndex(({ isLone }) => !isLone)
  const titleCount = start === -1 ? (rows.length > titleRowsMax ? 0 : rows.length) : start
  for (const { cells } of rows.slice(0, titleCount))
    yield { kind: 'paragraph', text: escapeText(cells.find((cell) => cell !== '') ?? '') }
  const table = rows.slice(titleCount).map(({ cells }) => cells)
  if (table.length > 0) yield { kind: 'table', rows: evenRows(table) }
}

/** The rows that are not empty, in order. */
function rowsOf(bytes: Buffer, book: Book): SheetRow[] {
  const rows = new Map<number, SheetRow>()
  let last = 0
  const take = (row: XmlElement) => {
    const number = Number(row.attributes.r ?? last + 1)
    last = Number.isInteger(number) ? number : last + 1
    const cells = cellsOf(row, book)
    const isLone = cells.filter((cell) => cell !== '').length === 1
    if (cells.length > 0) rows.set(last, { number: last, cells, isLone })
  }
  parseXml(bytes, { each: { name: 'row', take } })
  for (const range of mergedRanges(bytes)) fillRange(rows, range)
  return [...rows.values()].sort((one, other) => one.number - other.number)
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
      left: columnOf(from) ?? 0,
      right: columnOf(to) ?? 0,
      top: Number(top),
      bottom: Number(bottom),
    }
}

/** A larger one merges empty space. */
const mergedCellsMax = 10_000

function fillRange(rows: Map<number, SheetRow>, { top, bottom, left, right }: Range): void {
  const text = rows.get(top)?.cells[left] ?? ''
  if (text === '' || (bottom - top + 1) * (right - left + 1) > mergedCellsMax) return
  for (let number = top; number <= bottom; number += 1) {
    const row = rows.get(number) ?? { number, cells: [], isLone: true }
    while (row.cells.length <= right) row.cells.push('')
    row.cells.fill(text, left, right + 1)
    rows.set(number, row)
  }
}
