// A page as the extractor looks at it: its blocks of text, and what the class names of its elements hint at.
import { endTag, type MarkupTree, textRun } from '../page/markup-tree.ts'
import { isBlock, isVoid } from '../page/nesting.ts'
import type { Attributes } from '../page/scan.ts'
import type { SeenPage } from '../page/see-page.ts'
import { type BlockText, createBlockText, readBlockText } from './block-text.ts'
import { type ClassHints, readClassHints } from './vocabulary.ts'
import { hashText } from './words.ts'

/** A run of text between two tags that begin or end a block. */
export interface Block extends BlockText {
  /** The element that holds it. */
  readonly node: number
  /** Its part of `events`. */
  readonly from: number
  readonly to: number
}

export interface PageTree extends SeenPage {
  /** The same for elements with the same name and class. */
  readonly signatures: readonly number[]
  /** The groups that class, id and role hint at, as bits: the first thirty, and the rest. */
  readonly hintsLow: readonly number[]
  readonly hintsHigh: readonly number[]
  /** The hashes of the parts of class, id and role. */
  readonly classWords: readonly (readonly number[])[]
  /** Whether the element begins and ends blocks. */
  readonly blocky: readonly boolean[]
  /** Whether the element says that it is not meant to be seen or heard. */
  readonly hidden: readonly boolean[]
  readonly blocks: readonly Block[]
  /** The hashes of all words of all blocks. */
  readonly words: readonly number[]
}

/** More than any page that people read; what lies beyond is not looked at. */
const blocksMax = 10_000
const wordsMax = 600_000

const hiddenStyle = /display\s*:\s*none|visibility\s*:\s*hidden/i

export function readPageTree(page: SeenPage): PageTree {
  const { names } = page
  const blocky = names.map(
    (name) =>
      name === '#page' ||
      (name !== 'br' && (isBlock(name) || name === 'noscript' || name.includes('-'))),
  )
  return { ...page, ...readElements(page), blocky, ...readBlocks(page, blocky) }
}

function readElements({ names, attributes }: MarkupTree) {
  const namesOf = createNamesReader()
  const signatures: number[] = []
  const hintsLow: number[] = []
  const hintsHigh: number[] = []
  const classWords: (readonly number[])[] = []
  const hidden: boolean[] = []
  names.forEach((name, node) => {
    const found = attributes[node] as Attributes
    const { low, high, words, classHash } = namesOf(found)
    signatures.push(hashText(name) ^ classHash)
    hintsLow.push(low)
    hintsHigh.push(high)
    classWords.push(words)
    hidden.push(found.size > 0 && isMarkedHidden(found))
  })
  return { signatures, hintsLow, hintsHigh, classWords, hidden }
}

function isMarkedHidden(attributes: Attributes): boolean {
  if (attributes.has('hidden') || attributes.get('aria-hidden') === 'true') return true
  const style = attributes.get('style')
  return style !== undefined && hiddenStyle.test(style)
}

interface ElementNames extends ClassHints {
  readonly classHash: number
}

const noNames: ElementNames = { low: 0, high: 0, words: [], classHash: 0 }

/** Reads what class, id and role of an element say. Many elements say the same. */
function createNamesReader() {
  const known = new Map<string, ElementNames>()
  return (found: Attributes): ElementNames => {
    if (found.size === 0) return noNames
    const className = found.get('class') ?? ''
    const written = `${className} ${found.get('id') ?? ''} ${found.get('role') ?? ''}`
    let names = known.get(written)
    if (names === undefined) {
      names = { ...readClassHints(written), classHash: Math.imul(hashText(className), 31) }
      known.set(written, names)
    }
    return names
  }
}

function readBlocks(page: SeenPage, blocky: readonly boolean[]) {
  const { names, parents, events, texts, formulas } = page
  const blocks: Block[] = []
  const words: number[] = []
  const reader = createBlockReader((gathered, from, to) => {
    let node = around
    while (!blocky[node]) node = parents[node] as number
    blocks.push({ ...readBlockText(gathered, words), node, from, to })
  })
  let around = 0
  for (let index = 0; index < events.length; index += 1) {
    if (blocks.length >= blocksMax || words.length >= wordsMax) break
    const event = events[index] as number
    const place = event >> 2
    const kind = event & 3
    if (kind === textRun) {
      reader.text(texts[place] as string)
      continue
    }
    const name = names[place] as string
    if (blocky[place]) reader.endBlock(index)
    if (formulas.has(place)) {
      if (kind !== endTag) reader.formula()
      continue
    }
    if (kind === endTag) {
      if (!blocky[place]) reader.endInline(name)
      around = parents[place] as number
    } else if (isVoid(name)) reader.void(name, index)
    else {
      if (!blocky[place]) reader.startInline(name)
      around = place
    }
  }
  reader.endBlock(events.length)
  return { blocks, words }
}

type Gathered = ReturnType<ReturnType<typeof createBlockText>['take']>

function createBlockReader(onBlock: (gathered: Gathered, from: number, to: number) => void) {
  const text = createBlockText()
  let from = 0
  let breaks = 0

  function endBlock(to: number): void {
    breaks = 0
    if (text.isEmpty()) text.clear()
    else onBlock(text.take(), from, to)
    from = to
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
    void(name: string, index: number) {
      if (name === 'br') {
        breaks += 1
        if (breaks === 2) endBlock(index)
        else text.append(' ')
      }
      if (name === 'img') text.image()
    },
    /** A block of nothing but a formula is kept like one of nothing but a picture. */
    formula() {
      if (text.isEmpty()) text.image()
    },
    text(decoded: string) {
      if (text.append(decoded)) breaks = 0
    },
  }
}
