// Content as Markdown: CommonMark with the tables and deletions of GitHub, and formulas between dollars.

import { writeFormula } from '../content/formula.ts'
import type { ContentElement, ContentNode } from '../content/nodes.ts'
import { textOf } from '../content/nodes.ts'
import { flatten, isBlockNode } from './block-nodes.ts'
import { escapeLineStarts } from './escape.ts'
import { headingMark, type InlineContext, longestBackticks, writeInline } from './inline.ts'
import { writeTable } from './table.ts'

/** One block of Markdown, and whether it is a list, which follows the text of its item without a blank line. */
export interface Written {
  readonly text: string
  readonly isList?: boolean
}

const lists: ReadonlySet<string> = new Set(['ul', 'ol', 'menu', 'dir'])

export function writeMarkdown(content: ContentElement, baseUrl: string): string {
  return writeBlocks(content.children, { baseUrl, open: new Set(), quotations: 0 })
    .map(({ text }) => text)
    .join('\n\n')
}

function writeBlocks(nodes: readonly ContentNode[], context: InlineContext): Written[] {
  const written: Written[] = []
  let line: ContentNode[] = []
  let items: ContentElement[] = []
  // One by one: a page may have more blocks than a call may have arguments.
  const add = (blocks: readonly Written[]) => {
    for (const block of blocks) written.push(block)
  }
  const endLine = () => {
    if (line.length > 0) add(writeParagraphs(line, context))
    line = []
  }
  const endItems = () => {
    if (items.length > 0) add(writeList('ul', items, 1, context))
    items = []
  }
  for (const node of nodes) {
    if (!isBlockNode(node)) {
      if (items.length > 0 && (typeof node !== 'string' || node.trim() !== '')) endItems()
      line.push(node)
      continue
    }
    endLine()
    if (node.name === 'li') items.push(node)
    else {
      endItems()
      add(writeBlock(node, context))
    }
  }
  endLine()
  endItems()
  return written
}

function writeParagraphs(line: readonly ContentNode[], context: InlineContext): Written[] {
  return writeInline(line, context)
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== '')
    .map((text) => ({ text: escapeLineStarts(text.trim()) }))
}

function writeBlock(element: ContentElement, context: InlineContext): Written[] {
  const { name, attributes, children } = element
  if (/^h[1-6]$/.test(name)) return writeHeading(element, context)
  if (lists.has(name))
    return writeList(
      name === 'ol' ? 'ol' : 'ul',
      children,
      startOf(attributes.get('start')),
      context,
    )
  switch (name) {
    case 'a':
      return writeBlocks(linkFirstLine(element), context)
    case 'blockquote':
      return writeQuotation(children, context)
    case 'dl':
      return writeList('ul', definitionsOf(children), 1, context)
    case 'hr':
      return [{ text: '---' }]
    case 'math':
      return [{ text: writeFormula(element) }]
    case 'pre':
      return writeListing(element)
    case 'summary':
      return writeBlocks([{ name: 'strong', attributes, children }], context)
    case 'table':
      return writeTable(element, context, writeBlocks)
    default:
      return writeBlocks(children, context)
  }
}

function writeHeading({ name, children }: ContentElement, context: InlineContext): Written[] {
  // Headings are bold already.
  const open = new Set([...context.open, headingMark, '**'])
  const text = writeInline(flatten(children), { ...context, open }).replace(/\s+/g, ' ')
  if (text === '') return []
  return [{ text: `${'#'.repeat(Number(name[1]))} ${text.replace(/(^|\s)(#+)$/, '$1\\$2')}` }]
}

/** Each level repeats its mark on every line, so that deep ones would grow a page. */
const quotationsMax = 16

function writeQuotation(children: readonly ContentNode[], context: InlineContext): Written[] {
  const quotations = context.quotations + 1
  const blocks = writeBlocks(children, { ...context, quotations })
  if (blocks.length === 0 || quotations > quotationsMax) return blocks
  const lines = blocks.map(({ text }) => text).join('\n\n')
  return [{ text: lines.replace(/^/gm, '> ').replace(/^> $/gm, '>') }]
}

function writeListing(pre: ContentElement): Written[] {
  const text = textOf(pre)
  if (text.trim() === '') return []
  const [code] = pre.children
  const language =
    typeof code === 'object' ? code.attributes.get('class')?.replace('language-', '') : undefined
  const fence = '`'.repeat(Math.max(2, longestBackticks(text)) + 1)
  return [{ text: `${fence}${language ?? ''}\n${text}\n${fence}` }]
}

function startOf(written: string | undefined): number {
  const start = Number(written ?? 1)
  return Number.isInteger(start) && start >= 0 && start < 1e9 ? start : 1
}

function writeList(
  kind: 'ul' | 'ol',
  nodes: readonly ContentNode[],
  start: number,
  context: InlineContext,
): Written[] {
  let number = start
  let isLoose = false
  const items: string[] = []
  for (const item of itemsOf(nodes)) {
    const blocks = writeBlocks(item, context)
    if (blocks.length === 0) continue
    const mark = kind === 'ol' ? `${number}. ` : '- '
    number += 1
    if (blocks.some(({ isList }, index) => index > 0 && !isList)) isLoose = true
    const text = blocks
      .map((block, index) => (index === 0 ? '' : block.isList ? '\n' : '\n\n') + block.text)
      .join('')
    items.push(mark + text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`))
  }
  return items.length === 0 ? [] : [{ text: items.join(isLoose ? '\n\n' : '\n'), isList: true }]
}

/** The content of each item. A list right inside of a list belongs to the item before it. */
function itemsOf(nodes: readonly ContentNode[]): ContentNode[][] {
  const items: ContentNode[][] = []
  for (const node of nodes) {
    if (typeof node === 'string') {
      if (node.trim() !== '') items.push([node])
    } else if (node.name === 'li') items.push([...node.children])
    else if (lists.has(node.name) && items.length > 0) items.at(-1)?.push(node)
    else items.push([node])
  }
  return items
}

/** An item for each term: in bold, with its definitions below. */
function definitionsOf(nodes: readonly ContentNode[]): ContentElement[] {
  const entries = nodes.flatMap((node) =>
    typeof node === 'object' && node.name === 'div' ? node.children : [node],
  )
  const items: ContentElement[] = []
  let isTerm = false
  for (const node of entries) {
    if (typeof node === 'string' && node.trim() === '') continue
    const name = typeof node === 'string' ? '' : node.name
    const children: ContentNode[] = typeof node === 'string' ? [node] : node.children
    const isNext = name === 'dt' && !isTerm
    isTerm = name === 'dt'
    if (isNext || items.length === 0)
      items.push({ name: 'li', attributes: new Map(), children: [] })
    const item = items.at(-1) as ContentElement
    if (item.children.length > 0)
      item.children.push({ name: 'br', attributes: new Map(), children: [] })
    if (isTerm && !children.some(isBlockNode))
      item.children.push({ name: 'strong', attributes: new Map(), children })
    else for (const child of children) item.children.push(child)
  }
  return items
}

/** A link around blocks, such as a card: its first line of text is the link. */
function linkFirstLine({ attributes, children }: ContentElement): ContentNode[] {
  const link = (nodes: ContentNode[]): ContentNode => ({ name: 'a', attributes, children: nodes })
  let isLinked = false
  const linkIn = (nodes: readonly ContentNode[]): ContentNode[] => {
    const linked: ContentNode[] = []
    let line: ContentNode[] = []
    const endLine = () => {
      const isText = line.some((node) => textOf(node).trim() !== '')
      if (isText && !isLinked) {
        linked.push(link(line))
        isLinked = true
      } else for (const node of line) linked.push(node)
      line = []
    }
    for (const node of nodes) {
      if (!isBlockNode(node)) {
        line.push(node)
        continue
      }
      endLine()
      const isAtom =
        isLinked || node.name === 'pre' || node.name === 'table' || node.name === 'math'
      linked.push(isAtom ? node : { ...node, children: linkIn(node.children) })
    }
    endLine()
    return linked
  }
  return linkIn(children)
}
