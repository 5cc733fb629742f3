// PowerPoint: one page for each slide, with its shapes in reading order and the speaker's notes.
import { type DocumentBlock, escapeText } from '../blocks.ts'
import type { OpenedDocument, PageContent } from '../document.ts'
import type { Archive } from './archive.ts'
import {
  mainPart,
  needPart,
  readPart,
  readProperties,
  readRelations,
  relationId,
} from './office.ts'
import { spanRows } from './spans.ts'
import { childOf, elementsOf, isOn, textOf, within, type XmlElement } from './xml.ts'

export async function openPptx(archive: Archive): Promise<OpenedDocument> {
  const main = await mainPart(archive)
  const presentation = await needPart(archive, main)
  const relations = await readRelations(archive, main)
  const slides = [...elementsOf(childOf(presentation, 'sldIdLst'), 'sldId')].flatMap((slide) => {
    const relation = relations.get(relationId(slide) ?? '')
    return relation === undefined ? [] : [relation.target]
  })
  return {
    type: 'pptx',
    metadata: await readProperties(archive),
    pageCount: slides.length,
    async *pages(first) {
      for (const slide of slides.slice(first - 1)) yield await readSlide(archive, slide)
    },
  }
}

async function readSlide(archive: Archive, part: string): Promise<PageContent> {
  const slide = await needPart(archive, part)
  const relations = [...(await readRelations(archive, part)).values()]
  const partOf = (kind: string) => {
    const relation = relations.find((each) => each.kind === kind)
    return relation && readPart(archive, relation.target)
  }
  const shapes = shapesOf(childOf(slide, 'cSld', 'spTree'))
  const title = shapes.find(isTitle)
  const others = inReadingOrder(shapes.filter((shape) => shape !== title))
  const titleText = title && oneLine(plainText(title))
  const diagrams = await Promise.all(
    relations
      .filter(({ kind }) => kind === 'diagramData')
      .map(({ target }) => readPart(archive, target)),
  )
  const blocks: DocumentBlock[] = [
    ...(titleText ? [{ kind: 'heading', level: 1, text: escapeText(titleText) } as const] : []),
    ...others.flatMap(blocksOfShape),
    ...diagrams.flatMap((diagram) => (diagram ? itemsOf(diagram) : [])),
    ...notesOf(await partOf('notesSlide')),
  ]
  const isHidden = slide.attributes.show === '0'
  return { title: titleText || null, blocks, ...(isHidden && { isHidden }) }
}

/** Shapes, tables and pictures, those within groups too. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  return [...elementsOf(tree)].flatMap((element) => {
    if (['sp', 'graphicFrame', 'pic'].includes(element.name)) return [element]
    if (element.name === 'grpSp') return shapesOf(element)
    return element.name === 'AlternateContent' ? shapesOf(childOf(element, 'Choice')) : []
  })
}

const placeholderOf = (shape: XmlElement) => childOf(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes.type

const isTitle = (shape: XmlElement) => /^(?:ctrT|t)itle$/.test(placeholderOf(shape) ?? '')

/** Repeated on every slide. */
const furniture: ReadonlySet<string> = new Set(['ftr', 'sldNum', 'dt', 'hdr', 'sldImg'])

/** Shapes within a fifth of an inch of each other are side by side. */
const rowEmu = 182_880

/** From top to bottom and from left to right. First those without a place, which have that of the slide's layout. */
function inReadingOrder(shapes: readonly XmlElement[]): XmlElement[] {
  const placed = shapes
    .flatMap((shape) => {
      const place = placeOf(shape)
      return place === undefined ? [] : [{ shape, ...place }]
    })
    .sort((one, other) => one.y - other.y)
  const rows: (typeof placed)[] = []
  for (const each of placed) {
    const row = rows.at(-1)
    if (row !== undefined && each.y - (row[0]?.y ?? 0) <= rowEmu) row.push(each)
    else rows.push([each])
  }
  return [
    ...shapes.filter((shape) => placeOf(shape) === undefined),
    ...rows.flatMap((row) => row.sort((one, other) => one.x - other.x).map(({ shape }) => shape)),
  ]
}

function placeOf(shape: XmlElement) {
  const transform = childOf(shape, 'spPr', 'xfrm') ?? childOf(shape, 'xfrm')
  const offset = childOf(transform, 'off')?.attributes
  return offset && { x: Number(offset.x), y: Number(offset.y) }
}

function blocksOfShape(shape: XmlElement): DocumentBlock[] {
  if (furniture.has(placeholderOf(shape) ?? '')) return []
  if (shape.name === 'pic') return pictureOf(shape)
  const [table] = within(shape, 'tbl')
  if (table !== undefined) return [tableOf(table)]
  const body = childOf(shape, 'txBody')
  return [...elementsOf(body, 'p')].flatMap((paragraph) => blocksOfParagraph(paragraph, shape))
}

function pictureOf(shape: XmlElement): DocumentBlock[] {
  const text = oneLine(childOf(shape, 'nvPicPr', 'cNvPr')?.attributes.descr ?? '')
  return text === '' ? [] : [{ kind: 'paragraph', text: `![${text.replace(/[[\]]/g, '\\$&')}]()` }]
}

const listDepthMax = 8

/**
 * Paragraphs of the slide's text body are bullets, unless they say otherwise. Elsewhere they are bullets if they say
 * so.
 */
function blocksOfParagraph(paragraph: XmlElement, shape: XmlElement): DocumentBlock[] {
  const text = escapeText(paragraphText(paragraph).trim())
  if (text === '') return []
  const properties = childOf(paragraph, 'pPr')
  const placeholder = childOf(shape, 'nvSpPr', 'nvPr', 'ph')
  const isBody = placeholder !== undefined && (placeholder.attributes.type ?? 'body') === 'body'
  const says = ['buNone', 'buChar', 'buAutoNum', 'buBlip'].find((name) => childOf(properties, name))
  if (says === 'buNone' || (says === undefined && !isBody)) return [{ kind: 'paragraph', text }]
  const level = Number(properties?.attributes.lvl ?? 0)
  const depth = Number.isInteger(level) ? Math.max(0, Math.min(listDepthMax, level)) : 0
  return [{ kind: 'item', depth, marker: says === 'buAutoNum' ? '1.' : '-', text }]
}

function tableOf(table: XmlElement): DocumentBlock {
  const rows = [...elementsOf(table, 'tr')].map((row) =>
    [...elementsOf(row, 'tc')]
      .filter(({ attributes }) => attributes.hMerge !== '1')
      .map((cell) => ({
        text: plainText(cell),
        columns: Number(cell.attributes.gridSpan ?? 1),
        continuesAbove: isOn({ ...cell, attributes: { val: cell.attributes.vMerge ?? '0' } }),
      })),
  )
  return { kind: 'table', rows: spanRows(rows) }
}

/** The texts of a diagram, whose order is that of its data. */
function itemsOf(diagram: XmlElement): DocumentBlock[] {
  return [...within(diagram, 'p')].flatMap((paragraph): DocumentBlock[] => {
    const text = paragraphText(paragraph).trim()
    return text === '' ? [] : [{ kind: 'item', depth: 0, marker: '-', text: escapeText(text) }]
  })
}

function notesOf(notes: XmlElement | undefined): DocumentBlock[] {
  if (notes === undefined) return []
  const texts = shapesOf(childOf(notes, 'cSld', 'spTree'))
    .filter((shape) => placeholderOf(shape) === 'body')
    .map((shape) => plainText(shape).trim())
    .filter((text) => text !== '')
  if (texts.length === 0) return []
  return [
    { kind: 'heading', level: 2, text: 'Notes' },
    { kind: 'paragraph', text: escapeText(texts.join('\n\n')) },
  ]
}

const plainText = (element: XmlElement) =>
  [...within(element, 'p')]
    .map(paragraphText)
    .filter((text) => text.trim() !== '')
    .join('\n')

function paragraphText(paragraph: XmlElement): string {
  let text = ''
  for (const element of elementsOf(paragraph)) {
    if (element.name === 'r' || element.name === 'fld') text += textOf(childOf(element, 't'))
    else if (element.name === 'br') text += '\n'
    else if (
      element.name === 'AlternateContent' ||
      element.name === 'Choice' ||
      element.name === 'm'
    )
      text += [...within(element, 't')].map(textOf).join('')
  }
  return text
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
