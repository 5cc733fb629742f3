// A page as the extractor looks at it: its blocks of text, and what the class names of its elements hint at.
import { endTag, type MarkupTree, textRun } from '../page/markup-tree.ts'
import { isBlock, isVoid } from '../page/nesting.ts'
import type { Attributes } from '../page/scan.ts'
import type { SeenPage } from '../page/see-page.ts'
import { type BlockText, createBlockText, readBlockText } from './block-text.ts'
import { classGroupsLow, classGroupsOf, classWordsOf } from './vocabulary.ts'
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
  const hintsOf = createHintReader()
  const signatures: number[] = []
  const hintsLow: number[] = []
  const hintsHigh: number[] = []
  const classWords: (readonly number[])[] = []
  const hidden: boolean[] = []
  names.forEach((name, node) => {
    const found = attributes[node] as Attributes
    const className = found.get('class')
    const { low, high, words } = hintsOf(found, className ?? '')
    signatures.push(hashText(found.size === 0 ? name : `${name} ${className ?? ''}`))
    hintsLow.push(low)
    hintsHigh.push(high)
    classWords.push(words)
    hidden.push(
      found.size > 0 &&
        (found.has('hidden') ||
          found.get('aria-hidden') === 'true' ||
          hiddenStyle.test(found.get('style') ?? '')),
    )
  })
  return { signatures, hintsLow, hintsHigh, classWords, hidden }
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

function createHintReader() {
  const hintsOfClass = new Map<string, ClassHints>()
  return (found: Attributes, className: string): ClassHints => {
    if (found.size === 0) return noHints
    const written = `${className} ${found.get('id') ?? ''} ${found.get('role') ?? ''}`
    if (written === '  ') return noHints
    const known = hintsOfClass.get(written)
    if (known !== undefined) return known
    const hints = readHints(written)
    hintsOfClass.set(written, hints)
    return hints
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
