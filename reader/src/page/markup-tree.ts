// A page as arrays: its elements, its texts, and the order of both, read in one pass without recursion. Everything that
// is known of a page is read from this tree.
import { decodeHTML } from 'entities'
import { createTagStack, isBlock, isVoid } from './nesting.ts'
import { type Attributes, readAttributes, type ScanHandler, scanHtml } from './scan.ts'
import { createSkip } from './skip.ts'

/** Elements are numbers in the order of their start tags: a parent comes before its children. */
export interface MarkupTree {
  /** In lower case. Element 0 is around all others and has no tag. */
  readonly names: string[]
  readonly parents: number[]
  readonly depths: number[]
  readonly attributes: Attributes[]
  /**
   * Start tags, end tags and texts in order: four times the number of the element or text, plus the kind. A void
   * element has a start tag alone.
   */
  readonly events: number[]
  /** Entities decoded. */
  readonly texts: string[]
  readonly head: MarkupHead
}

/** What a page holds beside its elements and texts. */
export interface MarkupHead {
  /** The first title, entities decoded. */
  title: string
  /** The content of each JSON-LD script. */
  readonly linkedData: string[]
  readonly styles: string[]
  /** Scripts that wait until something is scrolled into view. */
  readonly observers: string[]
  /** Whether a script sets the formulas in the text, and those between single dollars too. */
  readonly formulaScript: { isPresent: boolean; takesDollars: boolean }
  /** Frames whose address a script has yet to set. */
  emptyFrames: number
  scripts: number
  scriptCharacters: number
  /** The page is longer or has more elements than are read. */
  isCut: boolean
}

/** The element of a script `math/tex`, which holds TeX. */
export const texElement = '#tex'

export const startTag = 0
export const endTag = 1
export const textRun = 2

/** More than any page that people read; what lies beyond is not looked at. */
const charactersMax = 5_000_000
const elementsMax = 200_000
const eventsMax = 600_000
const linkedDataMax = 50
const linkedDataCharactersMax = 200_000
const stylesMax = 200
const observersMax = 20
/** Pages write such scripts by hand; longer ones are whole applications. */
const observerCharactersMax = 50_000

const skipped: ReadonlySet<string> = new Set(
  'template svg object embed canvas audio video map select datalist applet frameset option'.split(
    ' ',
  ),
)

export function readMarkupTree(html: string): MarkupTree {
  const tree = createTree()
  const { events, head, texts } = tree
  const open: number[] = [0]
  const tags = createTagStack(() => events.push((open.pop() as number) * 4 + endTag))
  const skip = createSkip()
  let inNoscript = false
  /** MathJax reads formulas from scripts that stand where the formula does. */
  const addTex = (attributeText: string, content: string) => {
    const mode = /mode\s*=\s*display/.test(attributeText) ? ' display="block"' : ''
    const node = addElement(tree, open.at(-1) as number, texElement, mode)
    events.push(node * 4 + startTag, texts.length * 4 + textRun, node * 4 + endTag)
    texts.push(content)
  }
  const isFull = () => tree.names.length >= elementsMax || events.length >= eventsMax
  const handler: ScanHandler = {
    done: isFull,
    open(name, attributeText) {
      if (skip.isActive()) skip.open(name, attributeText)
      if (skip.isActive()) return
      if (isSkipped(name, attributeText)) return skip.begin(name, attributeText)
      const isEmpty = isVoid(name)
      const fits = isEmpty || tags.open(name)
      const node = addElement(tree, open.at(-1) as number, name, attributeText)
      events.push(node * 4 + startTag)
      if (isEmpty) return
      if (fits) open.push(node)
      // A block beyond the depth limit still keeps the words before and after its tag apart.
      else if (isBlock(name)) events.push(node * 4 + endTag)
      else events.pop()
    },
    close(name) {
      if (skip.isActive()) skip.close(name)
      else tags.close(name)
    },
    text(raw) {
      if (skip.isActive()) return
      events.push(texts.length * 4 + textRun)
      texts.push(raw.includes('&') ? decodeHTML(raw) : raw)
    },
    raw(name, content, attributeText, start) {
      if (name === 'script') noteScript(head, attributeText, content)
      if (skip.isActive()) return
      if (name === 'script' && attributeText.includes('math/tex')) addTex(attributeText, content)
      if (name === 'iframe' && isEmptyFrame(attributeText)) head.emptyFrames += 1
      if (name === 'title') head.title ||= decodeHTML(content)
      else if (name === 'style') noteStyle(head, attributeText, content)
      // Some forums put whole threads there. One inside another is not read.
      if (name !== 'noscript' || inNoscript) return
      inNoscript = true
      handler.open(name, attributeText, start)
      scanHtml(content, handler)
      handler.close(name)
      inNoscript = false
    },
  }
  scanHtml(html.length > charactersMax ? html.slice(0, charactersMax) : html, handler)
  tags.closeAll()
  head.isCut = html.length > charactersMax || isFull()
  return tree
}

function createTree(): MarkupTree {
  return {
    names: ['#page'],
    parents: [-1],
    depths: [0],
    attributes: [readAttributes('')],
    events: [],
    texts: [],
    head: {
      title: '',
      linkedData: [],
      styles: [],
      observers: [],
      formulaScript: { isPresent: false, takesDollars: false },
      emptyFrames: 0,
      scripts: 0,
      scriptCharacters: 0,
      isCut: false,
    },
  }
}

function isSkipped(name: string, attributes: string): boolean {
  // A browser that serialises shadow roots writes them as templates.
  return skipped.has(name) && !(name === 'template' && attributes.includes('shadowrootmode'))
}

function addElement(tree: MarkupTree, parent: number, name: string, attributes: string): number {
  const node = tree.names.length
  tree.names.push(name)
  tree.parents.push(parent)
  tree.depths.push((tree.depths[parent] as number) + 1)
  tree.attributes.push(readAttributes(attributes))
  return node
}

function noteScript(head: MarkupHead, attributes: string, content: string): void {
  head.scripts += 1
  head.scriptCharacters += content.length
  noteFormulaScript(head, attributes, content)
  if (
    content.length <= observerCharactersMax &&
    head.observers.length < observersMax &&
    content.includes('IntersectionObserver')
  )
    head.observers.push(content)
  if (!attributes.includes('ld+json')) return
  if (head.linkedData.length >= linkedDataMax) return
  if (!(readAttributes(attributes).get('type') ?? '').includes('ld+json')) return
  head.linkedData.push(content.slice(0, linkedDataCharactersMax))
}

const formulaScriptName = /mathjax|katex/i
/** How MathJax and KaTeX are told that a dollar begins and ends a formula. */
const dollarSetting = /\[\s*(["'])\$\1\s*,\s*(["'])\$\2\s*\]|left\s*:\s*(["'])\$\3/

function noteFormulaScript({ formulaScript }: MarkupHead, attributes: string, content: string) {
  const settings = content.slice(0, formulaSettingsCharactersMax)
  if (!formulaScriptName.test(attributes) && !/MathJax|renderMathInElement/.test(settings)) return
  formulaScript.isPresent = true
  formulaScript.takesDollars ||= dollarSetting.test(settings)
}

/** Settings are short; what comes later is another program. */
const formulaSettingsCharactersMax = 5_000

function isEmptyFrame(attributeText: string): boolean {
  const attributes = readAttributes(attributeText)
  const source = attributes.get('src')?.trim() ?? ''
  return /^(?:about:blank)?$/i.test(source) && !attributes.has('srcdoc')
}

function noteStyle(head: MarkupHead, attributes: string, content: string): void {
  const media = readAttributes(attributes).get('media') ?? ''
  if (head.styles.length < stylesMax)
    head.styles.push(media === '' ? content : `@media ${media} {${content}}`)
}
