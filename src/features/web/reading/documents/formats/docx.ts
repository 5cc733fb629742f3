// Word: paragraphs, lists, tables and notes as a flow, with all tracked changes accepted.
import type { DocumentBlock } from '../blocks.ts'
import type { OpenedDocument } from '../document.ts'
import { type Flow, paginate } from '../paginate.ts'
import type { Archive } from './archive.ts'
import { createInlineWriter, type InlineWriter, type NoteKind } from './docx-inline.ts'
import { createStyles, hiddenStylesOf, type Styles } from './docx-styles.ts'
import { mainPart, readPart, readProperties, readRelations } from './office.ts'
import { spanRows } from './spans.ts'
import { childOf, elementsOf, textOf, within, type XmlElement } from './xml.ts'

/** Where Word has not recorded where its pages end. A full printed page has about 4,000. */
const flowCharactersMax = 6_000

export async function openDocx(archive: Archive): Promise<OpenedDocument> {
  const main = await mainPart(archive)
  const relations = await readRelations(archive, main)
  const partOf = async (kind: string) => {
    const relation = [...relations.values()].find((each) => each.kind === kind)
    return relation && (await readPart(archive, relation.target))
  }
  const document = await readPart(archive, main)
  const stylesPart = await partOf('styles')
  const styles = createStyles(stylesPart, await partOf('numbering'))
  const parts = { footnote: await partOf('footnotes'), endnote: await partOf('endnotes') }
  const inline = createInlineWriter({ relations, hiddenStyles: hiddenStylesOf(stylesPart) })
  const flow = () => ({
    *[Symbol.iterator]() {
      const context: Context = { styles: styles(), inline, noted: [] }
      yield* flowOf(childOf(document, 'body'), context)
      yield* notesOf(parts, context)
    },
  })
  const properties = await readProperties(archive)
  return {
    type: 'docx',
    metadata: { ...properties, language: properties.language ?? styles().language },
    *pages(first) {
      let number = 0
      for (const blocks of paginate(flow(), flowCharactersMax)) {
        number += 1
        if (number >= first) yield { title: firstHeading(blocks), blocks }
      }
    },
  }
}

interface Context {
  readonly styles: Styles
  readonly inline: InlineWriter
  /** The notes that the text has referred to, in order. */
  readonly noted: { readonly kind: NoteKind; readonly id: string }[]
}

const firstHeading = (blocks: readonly DocumentBlock[]) =>
  blocks.find((block) => block.kind === 'heading')?.text ?? null

/** Elements that only wrap blocks. Deleted and moved-away text is left out, as if all changes were accepted. */
const wrappers: ReadonlySet<string> = new Set(['sdt', 'sdtContent', 'ins', 'moveTo', 'customXml'])

function* flowOf(parent: XmlElement | undefined, context: Context): Flow {
  for (const element of elementsOf(parent)) {
    if (element.name === 'p') yield* flowOfParagraph(element, context)
    else if (element.name === 'tbl') yield tableOf(element, context)
    else if (wrappers.has(element.name)) yield* flowOf(element, context)
  }
}

function* flowOfParagraph(paragraph: XmlElement, context: Context): Flow {
  const properties = childOf(paragraph, 'pPr')
  if (childOf(properties, 'pageBreakBefore')) yield 'page break'
  const { text, boxes, notes, hasPageBreak } = context.inline.write(paragraph)
  context.noted.push(...notes)
  if (text.trim() !== '') yield blockOf(text, context.styles.look(properties))
  for (const box of boxes) yield* flowOf(box, context)
  if (hasPageBreak || childOf(properties, 'sectPr')) yield 'page break'
}

function blockOf(text: string, look: ReturnType<Styles['look']>): DocumentBlock {
  if (look.headingLevel !== undefined)
    return { kind: 'heading', level: look.headingLevel, text: text.replaceAll('**', '') }
  if (look.list !== undefined) return { kind: 'item', ...look.list, text }
  return { kind: 'paragraph', text }
}

/** Cells are plain text. A merged cell's text is in each place that it covers. */
function tableOf(table: XmlElement, context: Context): DocumentBlock {
  const rows = [...rowsOf(table)].map((row) =>
    [...cellsOf(row)].map((cell) => {
      const properties = childOf(cell, 'tcPr')
      const merge = childOf(properties, 'vMerge')
      return {
        text: cellText(cell, context),
        columns: Number(childOf(properties, 'gridSpan')?.attributes.val ?? 1),
        continuesAbove: merge !== undefined && merge.attributes.val !== 'restart',
      }
    }),
  )
  return { kind: 'table', rows: spanRows(rows) }
}

function* rowsOf(table: XmlElement): Iterable<XmlElement> {
  for (const element of elementsOf(table)) {
    if (element.name === 'tr' && !childOf(element, 'trPr', 'del')) yield element
    else if (wrappers.has(element.name)) yield* rowsOf(element)
  }
}

function* cellsOf(row: XmlElement): Iterable<XmlElement> {
  for (const element of elementsOf(row)) {
    if (element.name === 'tc') yield element
    else if (wrappers.has(element.name)) yield* cellsOf(element)
  }
}

/** A table within a cell becomes lines of its cells. */
function cellText(cell: XmlElement, context: Context): string {
  const lines: string[] = []
  for (const element of elementsOf(cell)) {
    if (element.name === 'p') {
      const { plain, notes } = context.inline.write(element)
      context.noted.push(...notes)
      lines.push(plain)
    } else if (element.name === 'tbl') {
      const block = tableOf(element, context)
      if (block.kind === 'table') lines.push(...block.rows.map((row) => row.join(' ')))
    } else if (wrappers.has(element.name)) lines.push(cellText(element, context))
  }
  return lines.filter((line) => line.trim() !== '').join('\n')
}

function* notesOf(
  parts: Readonly<Record<NoteKind, XmlElement | undefined>>,
  { inline, noted }: Context,
): Flow {
  for (const { kind, id } of noted) {
    const part = parts[kind]
    if (part === undefined) continue
    const note = [...elementsOf(part, kind)].find(({ attributes }) => attributes.id === id)
    if (note === undefined || textOf(note).trim() === '') continue
    const text = [...within(note, 'p')].map((each) => inline.write(each).text.trim()).join(' ')
    yield { kind: 'paragraph', text: `${inline.noteMark(kind, id)}: ${text.trim()}` }
  }
}
