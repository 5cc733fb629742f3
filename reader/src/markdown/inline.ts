// What stands in a line: text, emphasis, links, pictures, code, formulas.
import { decodeHTML } from 'entities'
import { resolveLink } from '../content/attributes.ts'
import { writeFormula } from '../content/formula.ts'
import type { ContentElement, ContentNode } from '../content/nodes.ts'
import { isElement, textOf } from '../content/nodes.ts'
import { escapeText } from './escape.ts'
import { writeScript } from './scripts.ts'

export interface InlineContext {
  readonly baseUrl: string
  /** Marks that are open, none of which opens again inside itself. */
  readonly open: ReadonlySet<string>
  /** How many quotations the text stands in. */
  readonly quotations: number
}

const marks: ReadonlyMap<string, string> = new Map([
  ...['strong', 'b'].map((name) => [name, '**'] as const),
  ...['em', 'i', 'dfn', 'cite'].map((name) => [name, '*'] as const),
  ...['del', 's', 'strike'].map((name) => [name, '~~'] as const),
])
const codes: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt'])
const linkMark = 'link'
export const headingMark = 'heading'

/** Line feeds stand for line breaks. */
export function writeInline(nodes: readonly ContentNode[], context: InlineContext): string {
  return writeParts(nodes, context)
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

function writeParts(nodes: readonly ContentNode[], context: InlineContext): string {
  const line = createLine()
  addNodes(line, nodes, context)
  return line.result()
}

function addNodes(line: Line, nodes: readonly ContentNode[], context: InlineContext): void {
  for (const node of nodes) {
    if (typeof node === 'string')
      line.addText(escapeText(node.replace(/\s+/g, ' '), context.open.has(linkMark)))
    else addElement(line, node, context)
  }
}

type Line = ReturnType<typeof createLine>

function addElement(line: Line, element: ContentElement, context: InlineContext): void {
  const { name, children } = element
  const mark = marks.get(name)
  if (name === 'br') line.addText('\n')
  else if (name === 'img') line.addObject(writeImage(element, context.baseUrl))
  else if (name === 'math') line.addObject(writeFormula(element))
  else if (name === 'a') addLink(line, element, context)
  else if (codes.has(name)) addCode(line, element, context)
  else if (name === 'ruby') addNodes(line, withReadings(children), context)
  else if (name === 'sub' || name === 'sup')
    line.addText(writeScript(writeParts(children, context), name === 'sup'))
  else if (mark !== undefined && !context.open.has(mark)) {
    const open = new Set([...context.open, mark])
    line.addMarked(writeParts(children, { ...context, open }), mark)
  } else if (name === 'q') line.addText(`"${writeParts(children, context)}"`)
  else addNodes(line, children, context)
}

/** The reading of each word in parentheses, which many pages bring along for readers without ruby. */
function withReadings(nodes: readonly ContentNode[]): ContentNode[] {
  if (nodes.some((node) => isElement(node) && node.name === 'rp')) return [...nodes]
  return nodes.flatMap((node) => {
    if (!isElement(node)) return [node]
    if (node.name === 'rt') return ['(', node, ')']
    return node.name === 'rtc' ? withReadings(node.children) : [node]
  })
}

function addLink(line: Line, element: ContentElement, context: InlineContext): void {
  if (context.open.has(linkMark)) {
    addNodes(line, element.children, context)
    return
  }
  const open = new Set([...context.open, linkMark])
  const written = writeParts(element.children, { ...context, open })
  const text = written.replace(/\s+/g, ' ').trim()
  // The link of a heading to itself.
  if (text === '' || (context.open.has(headingMark) && /^\\?[#¶§🔗]$/u.test(text))) return
  const url = resolveLink(element.attributes.get('href') ?? '', context.baseUrl)
  if (url === undefined || !element.attributes.has('href')) line.addText(written)
  // Not every reader of Markdown knows that an escaped bracket ends no label.
  else line.addObject(`[${text.replaceAll('\\](', '\\]\\(')}](${writeAddress(url)})`, written)
}

function writeImage({ attributes }: ContentElement, baseUrl: string): string {
  const source = attributes.get('src')
  const url = source === undefined ? undefined : resolveLink(source, baseUrl)
  const isPixel = ['width', 'height'].every((name) => attributes.get(name) === '1')
  if (url === undefined || isPixel) return ''
  const alternative = decodeHTML(attributes.get('alt') ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return `![${escapeText(alternative, true)}](${writeAddress(url)})`
}

function writeAddress(url: string): string {
  return /[()<>\s]/.test(url) ? `<${url.replaceAll('<', '%3C').replaceAll('>', '%3E')}>` : url
}

/** A name that is a link is written as a link that is a name. */
function addCode(line: Line, element: ContentElement, context: InlineContext): void {
  const inside = element.children.filter(
    (child) => typeof child !== 'string' || child.trim() !== '',
  )
  const [only] = inside
  if (inside.length === 1 && typeof only === 'object' && only.name === 'a') {
    const code = { ...element, children: only.children }
    addLink(line, { ...only, children: [code] }, context)
    return
  }
  const text = textOf(element).replace(/\s+/g, ' ')
  if (text.trim() === '') line.addText(text)
  else line.addObject(writeCodeSpan(text.trim()), text)
}

function writeCodeSpan(text: string): string {
  const mark = '`'.repeat(longestBackticks(text) + 1)
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${mark}${pad}${text}${pad}${mark}`
}

/** The length of the longest run of backticks. */
export function longestBackticks(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

const wordEnd = /[\p{L}\p{N}]$/u
const wordStart = /^[\p{L}\p{N}]/u
const punctuationStart = /^[^\p{L}\p{N}\s]/u
const punctuationEnd = /[^\p{L}\p{N}\s]$/u

/** Puts the parts of a line side by side so that the marks of one do not change the meaning of another. */
function createLine() {
  const parts: string[] = []
  /** The mark that the last part ends with. */
  let closed = ''

  function push(part: string, mark = ''): void {
    if (part === '') return
    const last = parts.at(-1) ?? ''
    // "!" before a link would make it a picture, and "]" before "(" a link.
    if (closed === '' && /(?<!\\)!$/.test(last) && part.startsWith('['))
      parts[parts.length - 1] = `${last.slice(0, -1)}\\!`
    else if (closed === '' && /(?<!\\)\]$/.test(last) && /^[(:]/.test(part))
      parts[parts.length - 1] = `${last.slice(0, -1)}\\]`
    // A mark after punctuation closes nothing where a word follows at once, and two marks side by side are another.
    else if (
      closed !== '' &&
      wordStart.test(part) &&
      punctuationEnd.test(last.slice(0, -closed.length))
    )
      parts.push(' ')
    else if (last.endsWith('`') && part.startsWith('`')) parts.push(' ')
    parts.push(part)
    closed = mark
  }

  /** The blanks around the text stay outside of what is put around it. */
  function pushSpaced(text: string, write: (trimmed: string) => void): void {
    if (/^\s/.test(text)) push(' ')
    write(text.trim())
    if (/\s$/.test(text)) push(' ')
  }

  return {
    addText: (text: string) => push(text),
    /** `spaced` is the text of the object with the blanks around it. */
    addObject(object: string, spaced = object) {
      if (object !== '') pushSpaced(spaced, () => push(object))
    },
    addMarked(text: string, mark: string) {
      if (text.trim() === '') {
        push(text)
        return
      }
      pushSpaced(text, (whole) => {
        // A mark ends with its paragraph.
        const trimmed = whole.replace(/\s*\n\s*\n\s*/g, `${mark}\n\n${mark}`)
        const last = parts.at(-1) ?? ''
        if (closed === mark) {
          parts[parts.length - 1] = last.slice(0, -mark.length)
          parts.push(`${trimmed}${mark}`)
          return
        }
        const isStuck = wordEnd.test(last) && punctuationStart.test(trimmed)
        if (closed !== '' || isStuck || last.endsWith('*')) push(' ')
        push(`${mark}${trimmed}${mark}`, mark)
      })
    },
    result: () => parts.join(''),
  }
}
