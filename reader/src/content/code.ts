// Listings as their code alone: without line numbers, a line for each line, and with the name of the language.
import { isBlock } from '../page/nesting.ts'
import type { ContentElement, ContentNode } from './nodes.ts'
import { cellsOf, isCell, isElement, rowsOf, textOf } from './nodes.ts'

/** A `pre` that holds a `code` that holds the text. `around` are the elements that the listing stands in. */
export function writeCode(
  listing: ContentElement,
  around: readonly ContentElement[],
): ContentElement {
  const lines = createLines()
  addLines(listing, lines)
  const language = languageOf(listing, around)
  const attributes = new Map(language === undefined ? [] : [['class', `language-${language}`]])
  const code: ContentElement = { name: 'code', attributes, children: [lines.result()] }
  return { name: 'pre', attributes: new Map(), children: [code] }
}

function createLines() {
  const parts: string[] = []
  const isLineStart = () => parts.length === 0 || parts.at(-1)?.endsWith('\n') === true
  return {
    add: (text: string) => void (text !== '' && parts.push(text)),
    end: () => void (isLineStart() || parts.push('\n')),
    result: () => parts.join('').replaceAll('\r', '').replace(/^\n+/, '').trimEnd(),
  }
}

function addLines(node: ContentElement, lines: ReturnType<typeof createLines>): void {
  const isLine = node.name !== 'br' && isBlock(node.name) && !isCell(node)
  if (isLine) lines.end()
  node.children.forEach((child) => {
    if (typeof child === 'string') lines.add(child)
    else if (child.name === 'br') lines.add('\n')
    else if (child.name !== 'img' && !isGutter(child, node)) addLines(child, lines)
  })
  if (isLine) lines.end()
}

const gutterClass = /(?:^|[\s_-])(?:gutter|line-?no|line-?num|line-?number|lnt|ln)s?(?:$|[\s_-])/i

/** Line numbers: the first of several cells, or an element named so, with nothing but numbers. */
function isGutter(node: ContentElement, around: ContentElement): boolean {
  const isFirstCell = isCell(node) && around.children.find(isElement) === node
  const hasOthers = around.children.filter(isElement).length > 1
  const isNamed = gutterClass.test(node.attributes.get('class') ?? '')
  if (!(isFirstCell && hasOthers) && !isNamed) return false
  return /^[\s\d]*$/.test(textOf(node))
}

/** Whether the table is a listing: its first column counts lines, and its last holds code. */
export function isListing(table: ContentElement): boolean {
  const rows = rowsOf(table)
  const cells = rows.map(cellsOf)
  if (cells.length === 0 || cells.some((row) => row.length < 2)) return false
  if (!cells.some((row) => isCode(row.at(-1) as ContentElement))) return false
  const gutter = cells.map(([first]) => lineNumbersOf(first as ContentElement)).join('\n')
  if (!/^[\s\d]*$/.test(gutter)) return false
  const numbers = gutter
    .split(/\s+/)
    .filter((each) => each !== '')
    .map(Number)
  const isCounting = numbers.every((each, index) => each === (numbers[0] as number) + index)
  return numbers.length > 0 ? isCounting : rows.length === 1
}

/** Some pages write them by CSS, out of an attribute. */
function lineNumbersOf(cell: ContentElement): string {
  return cell.attributes.get('data-line-number') ?? textOf(cell)
}

function isCode({ attributes, children }: ContentElement): boolean {
  if (/(?:^|[\s_-])code(?:$|[\s_-])/i.test(attributes.get('class') ?? '')) return true
  const inside = children.filter((child) => isElement(child) || child.trim() !== '')
  return inside.length === 1 && isElement(inside[0] as ContentNode) && holdsCode(inside[0])
}

function holdsCode(node: ContentNode | undefined): boolean {
  if (node === undefined || !isElement(node)) return false
  return node.name === 'pre' || node.name === 'code' || node.children.some(holdsCode)
}

/** The listing names its language, or the code inside, or an element close around. */
function languageOf(listing: ContentElement, around: readonly ContentElement[]) {
  const inside: ContentElement[] = []
  for (let node: ContentNode | undefined = listing; node !== undefined; ) {
    inside.push(node)
    node = node.children.findLast(isElement)
  }
  for (const element of [...inside, ...around.slice(-languageLevelsMax).reverse()]) {
    const language = ownLanguage(element)
    if (language !== undefined) return language
  }
  return undefined
}

const languageLevelsMax = 3
const languageName = /^[a-z][a-z0-9+#.-]{0,29}$/i
const prefixed =
  /(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|brush|sourcecode)[-:]\s*([^\s;]+)/i
/** Classes beside which highlight.js, Hexo and Pandoc write the bare name of the language. */
const marker = /^(?:hljs|highlight|sourcecode|prettyprint|prettyprinted|highlighter-rouge)$/i
const notLanguages =
  /^(?:none|text|txt|plain|plaintext|plain-text|nohighlight|no-highlight|default|auto|undefined|null|console-output|wrap|line-numbers|linenums|notranslate|table|code|block|copyable)$/i

function ownLanguage({ name, attributes }: ContentElement): string | undefined {
  const className = attributes.get('class') ?? ''
  const tokens = className.split(/\s+/)
  const bare = tokens.some((token) => marker.test(token))
    ? tokens.find((token) => !marker.test(token) && !/[-:]/.test(token))
    : undefined
  const candidates = [
    prefixed.exec(className)?.[1]?.replace(/^html-basic$/, 'html'),
    attributes.get('data-lang') ?? attributes.get('data-language'),
    name === 'pre' ? attributes.get('lang') : undefined,
    bare,
  ]
  return candidates
    .find((each) => each !== undefined && languageName.test(each) && !notLanguages.test(each))
    ?.toLowerCase()
}
