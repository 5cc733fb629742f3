// A page as arrays: its elements, its blocks of text, and the order of both, read in one pass without recursion.
import { decodeHTML } from 'entities'
import { createTagStack, isBlock, isVoid } from '../page/nesting.ts'
import { readAttributes, type ScanHandler, scanHtml } from '../page/scan.ts'
import { createSkip } from '../page/skip.ts'
import { type BlockText, createBlockText, readBlockText } from './block-text.ts'
import { createPageHead, type PageHead } from './page-head.ts'
import { classGroupsLow, classGroupsOf, classWordsOf } from './vocabulary.ts'
import { hashText } from './words.ts'

/** A run of text between two tags that begin or end a block. */
export interface Block extends BlockText {
  /** The element that holds it. */
  readonly node: number
  /** Its part of `events`. */
  readonly from: number
  to: number
}

/** Elements are numbers in the order of their start tags: a parent comes before its children. */
export interface PageTree {
  readonly names: string[]
  readonly parents: number[]
  readonly depths: number[]
  /** The text of each start tag after its name. */
  readonly attributes: string[]
  /** The same for elements with the same name and class. */
  readonly signatures: number[]
  /** The groups that class, id and role hint at, as bits: the first thirty, and the rest. */
  readonly hintsLow: number[]
  readonly hintsHigh: number[]
  /** The hashes of the parts of class, id and role. */
  readonly classWords: (readonly number[])[]
  /** Whether the element begins and ends blocks. */
  readonly blocky: boolean[]
  readonly hidden: boolean[]
  /** Start tags, end tags and texts in order: four times the number of the element or text, plus the kind. */
  readonly events: number[]
  readonly texts: string[]
  readonly blocks: Block[]
  /** The hashes of all words of all blocks. */
  readonly words: number[]
  readonly head: PageHead
}

export const startTag = 0
export const endTag = 1
export const textRun = 2

/** More than any page that people read; what lies beyond is not looked at. */
const charactersMax = 5_000_000
const elementsMax = 200_000
const blocksMax = 10_000
const wordsMax = 600_000
const eventsMax = 600_000

const skipped: ReadonlySet<string> = new Set(
  'template svg math object embed canvas audio video map select datalist applet frameset dialog option'.split(
    ' ',
  ),
)
const hiddenStyle = /display\s*:\s*none|visibility\s*:\s*hidden/i

export function readPageTree(html: string): PageTree {
  const tree = createTree()
  const open: number[] = [0]
  const reader = createBlockReader(tree, open)
  const addElement = createElementReader(tree)
  let started = 0
  const tags = createTagStack((markup) => {
    if (markup === '') {
      place(tree, started, open.at(-1) as number)
      open.push(started)
      if (!tree.blocky[started]) reader.startInline(tree.names[started] as string)
      tree.events.push(started * 4 + startTag)
      return
    }
    const ended = open.at(-1) as number
    if (tree.blocky[ended]) reader.endBlock()
    else reader.endInline(tree.names[ended] as string)
    open.pop()
    tree.events.push(ended * 4 + endTag)
  })
  const skip = createSkip()
  let inNoscript = false
  const handler: ScanHandler = {
    done: () =>
      tree.names.length >= elementsMax ||
      tree.blocks.length >= blocksMax ||
      tree.words.length >= wordsMax ||
      tree.events.length >= eventsMax,
    open(name, attributeText) {
      if (skip.isActive()) return skip.open(name)
      if (skipped.has(name) && !(name === 'template' && attributeText.includes('shadowrootmode')))
        return skip.begin(name)
      if (name === 'meta') tree.head.meta(readAttributes(attributeText))
      const blocky = name !== 'br' && (isBlock(name) || name === 'noscript' || name.includes('-'))
      if (blocky) reader.endBlock()
      started = addElement(name, attributeText, blocky)
      // The stack may end other elements first, or find the page too deep and open nothing.
      place(tree, started, open.at(-1) as number)
      if (isVoid(name)) reader.void(name, started)
      else tags.open(name, '')
    },
    close(name) {
      if (skip.isActive()) skip.close(name)
      else tags.close(name)
    },
    text(raw) {
      if (!skip.isActive()) reader.text(raw)
    },
    raw(name, content, attributeText) {
      if (name === 'title' && !skip.isActive()) tree.head.title(content)
      else if (name === 'script') tree.head.script(attributeText, content)
      // Some forums put whole threads there. One inside another is not read.
      if (name !== 'noscript' || skip.isActive() || inNoscript) return
      inNoscript = true
      handler.open(name, attributeText)
      scanHtml(content, handler)
      handler.close(name)
      inNoscript = false
    },
  }
  scanHtml(html.length > charactersMax ? html.slice(0, charactersMax) : html, handler)
  tags.closeAll()
  reader.endBlock()
  return tree
}

/** Around all of a page is an element without a name. */
function createTree(): PageTree {
  return {
    names: ['#page'],
    parents: [-1],
    depths: [0],
    attributes: [''],
    signatures: [0],
    hintsLow: [0],
    hintsHigh: [0],
    classWords: [[]],
    blocky: [true],
    hidden: [false],
    events: [],
    texts: [],
    blocks: [],
    words: [],
    head: createPageHead(),
  }
}

function place(tree: PageTree, node: number, parent: number): void {
  tree.parents[node] = parent
  tree.depths[node] = (tree.depths[parent] as number) + 1
}

function pushHints(tree: PageTree, { low, high, words }: ClassHints): void {
  tree.hintsLow.push(low)
  tree.hintsHigh.push(high)
  tree.classWords.push(words)
}

interface ClassHints {
  readonly low: number
  readonly high: number
  readonly words: readonly number[]
}

const noHints: ClassHints = { low: 0, high: 0, words: [] }

function readHints(names: string): ClassHints {
  let low = 0
  let high = 0
  for (const group of classGroupsOf(names)) {
    if (group < classGroupsLow) low |= 1 << group
    else high |= 1 << (group - classGroupsLow)
  }
  return { low, high, words: classWordsOf(names) }
}

function createElementReader(tree: PageTree) {
  const hintsOfClass = new Map<string, ClassHints>()

  function hintsOf(names: string): ClassHints {
    if (names === '  ') return noHints
    const known = hintsOfClass.get(names)
    if (known !== undefined) return known
    const hints = readHints(names)
    hintsOfClass.set(names, hints)
    return hints
  }

  return (name: string, attributes: string, blocky: boolean): number => {
    const { names } = tree
    const node = names.length
    names.push(name)
    tree.attributes.push(attributes)
    tree.blocky.push(blocky)
    if (attributes.length < 4) {
      tree.signatures.push(hashText(name))
      pushHints(tree, noHints)
      tree.hidden.push(attributes.includes('hid'))
      return node
    }
    const found = readAttributes(attributes)
    const className = found.get('class') ?? ''
    const hints = hintsOf(`${className} ${found.get('id') ?? ''} ${found.get('role') ?? ''}`)
    tree.signatures.push(hashText(`${name} ${className}`))
    pushHints(tree, hints)
    tree.hidden.push(
      found.has('hidden') ||
        found.get('aria-hidden') === 'true' ||
        hiddenStyle.test(found.get('style') ?? ''),
    )
    return node
  }
}

function createBlockReader(tree: PageTree, open: readonly number[]) {
  const { blocks, events, texts, words } = tree
  const text = createBlockText()
  let from = 0
  let breaks = 0

  function endBlock(): void {
    breaks = 0
    if (text.isEmpty()) text.clear()
    else
      blocks.push({
        ...readBlockText(text.take(), words),
        node: blockyNode(),
        from,
        to: events.length,
      })
    from = events.length
  }

  function blockyNode(): number {
    let node = open.at(-1) as number
    while (node > 0 && !tree.blocky[node]) node = tree.parents[node] as number
    return node
  }

  return {
    endBlock,
    startInline(name: string) {
      if (name === 'a') text.startLink()
      else if (name === 'strong' || name === 'b') text.startStrong()
    },
    endInline(name: string) {
      if (name === 'a') text.endLink()
      else if (name === 'strong' || name === 'b') text.endStrong()
    },
    void(name: string, node: number) {
      if (name === 'br') {
        breaks += 1
        if (breaks === 2) endBlock()
        else text.append(' ')
      }
      // Pictures in noscript are those that a script would have put in the place of others.
      if (name === 'img' && !open.some((around) => tree.names[around] === 'noscript')) text.image()
      events.push(node * 4 + startTag)
    },
    text(raw: string) {
      const decoded = raw === '&lt;' ? '<' : raw.includes('&') ? decodeHTML(raw) : raw
      if (text.append(decoded)) breaks = 0
      events.push(texts.length * 4 + textRun)
      texts.push(raw)
    },
  }
}
