// The text of a Word paragraph as Markdown, and what hangs on it: notes, text boxes, page breaks.
import { escapeText } from '../blocks.ts'
import { type Relation, relationId } from './office.ts'
import { childOf, elementsOf, isOn, textOf, type XmlElement } from './xml.ts'

export type NoteKind = 'footnote' | 'endnote'

export interface InlineText {
  readonly text: string
  /** Without Markdown. */
  readonly plain: string
  readonly notes: readonly { readonly kind: NoteKind; readonly id: string }[]
  readonly boxes: readonly XmlElement[]
  readonly hasPageBreak: boolean
}

export interface InlineWriter {
  write(paragraph: XmlElement): InlineText
  noteMark(kind: NoteKind, id: string): string
}

type Style = '' | '*' | '**' | '***'

interface Draft {
  /** Neighbours of the same style are joined, because Word splits words into runs. */
  pieces: { text: string; style: Style; isMarkdown: boolean }[]
  notes: { kind: NoteKind; id: string }[]
  boxes: XmlElement[]
  hasPageBreak: boolean
}

const noteMark = (kind: NoteKind, id: string) => `[^${kind === 'endnote' ? 'e' : ''}${id}]`

/** What is not text of the document as it is now: deleted, moved away, or properties. */
const skipped: ReadonlySet<string> = new Set([
  ...['del', 'moveFrom', 'rPr', 'pPr', 'instrText', 'delText', 'Fallback', 'rt', 'sdtPr'],
])
const symbolsOf: Readonly<Record<string, string>> = {
  noBreakHyphen: '-',
  tab: '\t',
  ptab: '\t',
  cr: '\n',
}

interface Context {
  readonly relations: ReadonlyMap<string, Relation>
  /** The ids of styles whose text is hidden. */
  readonly hiddenStyles: ReadonlySet<string>
  readonly isHiddenByParagraph: boolean
}

export function createInlineWriter(
  parts: Pick<Context, 'relations' | 'hiddenStyles'>,
): InlineWriter {
  return {
    noteMark,
    write(paragraph) {
      const draft: Draft = { pieces: [], notes: [], boxes: [], hasPageBreak: false }
      const style = childOf(paragraph, 'pPr', 'pStyle')?.attributes.val
      const isHiddenByParagraph = style !== undefined && parts.hiddenStyles.has(style)
      collect(paragraph, '', draft, { ...parts, isHiddenByParagraph })
      const { notes, boxes, hasPageBreak } = draft
      return {
        text: draft.pieces.map(writePiece).join(''),
        plain: draft.pieces.map(({ text }) => text).join(''),
        notes,
        boxes,
        hasPageBreak,
      }
    },
  }
}

function writePiece({ text, style, isMarkdown }: Draft['pieces'][number]): string {
  if (isMarkdown) return text
  const core = text.trim()
  return core === '' ? text : text.replace(core, () => `${style}${escapeText(core)}${style}`)
}

function add(draft: Draft, text: string, style: Style, isMarkdown = false): void {
  const last = draft.pieces.at(-1)
  if (last !== undefined && last.style === style && !last.isMarkdown && !isMarkdown)
    last.text += text
  else draft.pieces.push({ text, style, isMarkdown })
}

function collect(parent: XmlElement, style: Style, draft: Draft, context: Context): void {
  for (const element of elementsOf(parent)) {
    const { name, attributes } = element
    if (skipped.has(name)) continue
    if (name === 'r') {
      if (!isHidden(element, context)) collect(element, styleOf(element), draft, context)
    } else if (name === 't') add(draft, textOf(element), style)
    else if (name === 'br') {
      if (attributes.type === 'page') draft.hasPageBreak = true
      else add(draft, '\n', style)
    } else if (name === 'lastRenderedPageBreak') draft.hasPageBreak = true
    else if (name in symbolsOf) add(draft, symbolsOf[name] ?? '', style)
    else if (name === 'footnoteReference' || name === 'endnoteReference')
      addNote(element, name === 'footnoteReference' ? 'footnote' : 'endnote', draft)
    else if (name === 'hyperlink') addLink(element, draft, context)
    else if (name === 'txbxContent') draft.boxes.push(element)
    else if (name === 'oMath') add(draft, mathText(element), '')
    else if (name === 'docPr') addPicture(element, draft)
    else collect(element, style, draft, context)
  }
}

/** Word neither shows nor prints such a run. */
function isHidden(run: XmlElement, { hiddenStyles, isHiddenByParagraph }: Context): boolean {
  const properties = childOf(run, 'rPr')
  const own = childOf(properties, 'vanish')
  if (own !== undefined) return isOn(own)
  const style = childOf(properties, 'rStyle')?.attributes.val
  return isHiddenByParagraph || (style !== undefined && hiddenStyles.has(style))
}

function styleOf(run: XmlElement): Style {
  const properties = childOf(run, 'rPr')
  const isBold = isOn(childOf(properties, 'b'))
  const isItalic = isOn(childOf(properties, 'i'))
  return isBold ? (isItalic ? '***' : '**') : isItalic ? '*' : ''
}

function addNote({ attributes }: XmlElement, kind: NoteKind, draft: Draft): void {
  const { id } = attributes
  if (id === undefined) return
  draft.notes.push({ kind, id })
  add(draft, noteMark(kind, id), '', true)
}

function addLink(link: XmlElement, draft: Draft, context: Context): void {
  const relation = context.relations.get(relationId(link) ?? '')
  const inner: Draft = { pieces: [], notes: draft.notes, boxes: draft.boxes, hasPageBreak: false }
  collect(link, '', inner, context)
  const text = inner.pieces.map(writePiece).join('')
  draft.hasPageBreak ||= inner.hasPageBreak
  if (relation?.isExternal && /^(?:https?|mailto):/i.test(relation.target) && text.trim() !== '')
    add(draft, `[${text.replace(/[[\]]/g, '\\$&')}](${encodeAddress(relation.target)})`, '', true)
  else draft.pieces.push(...inner.pieces)
}

/** Without the signs that would end a link of Markdown. */
const encodeAddress = (address: string) =>
  address.replace(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Letters and signs in their order; fractions and roots are told by signs. */
function mathText(math: XmlElement): string {
  let text = ''
  for (const element of elementsOf(math)) {
    const part = (name: string) => mathText(childOf(element, name) ?? emptyElement)
    if (element.name === 't') text += textOf(element)
    else if (element.name === 'f') text += `(${part('num')})/(${part('den')})`
    else if (element.name === 'rad') text += `√(${part('e')})`
    else if (element.name === 'sSup') text += `${part('e')}^${part('sup')}`
    else if (element.name === 'sSub') text += `${part('e')}_${part('sub')}`
    else if (!element.name.endsWith('Pr')) text += mathText(element)
  }
  return text
}

const emptyElement: XmlElement = { name: '', attributes: {}, children: [] }

/** A picture is told by its description. */
function addPicture({ attributes }: XmlElement, draft: Draft): void {
  const text = (attributes.descr ?? '').replace(/\s+/g, ' ').trim()
  if (text !== '') add(draft, `![${text.replace(/[[\]]/g, '\\$&')}]()`, '', true)
}
