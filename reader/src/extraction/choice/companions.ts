// What words say too little about goes with the text around it: pictures and their captions, listings, and the heading
// of the page.
import { containerOf, deepestHolding, type PageMeasures } from '../page-measures.ts'
import type { PageTree } from '../page-tree.ts'
import { sumUp } from '../second-look.ts'

/** The box of the content holds this share of the chosen words. */
const boxShare = 0.9
/** Longer captions are judged as texts. */
const captionWordsMax = 60
const wordsOfShortPage = 150
const headingWordsMax = 40
/** Between the heading and the first text stand the author, the date and the like. */
const wordsAfterHeadingMax = 40

/** Adds them to `chosen`. */
export function addCompanions(page: PageMeasures, chosen: Uint8Array): void {
  const { blocks, names } = page.tree
  const captions = findCaptions(page.tree)
  addHeading(page, chosen)
  const words = Float64Array.from(blocks, (block, index) => block.words * (chosen[index] as number))
  const { firstBlock, lastBlock } = containerOf(
    page.tree,
    deepestHolding(page.tree, sumUp(page, words), boxShare),
  )
  let before = 0
  let pending: number[] = []
  const settle = (after: number) => {
    for (const index of pending) {
      const isPicture = blocks[index]?.words === 0
      const isInBox = index >= firstBlock && index <= lastBlock
      const isBeside = before === 1 || after === 1
      if (before === 1 && after === 1) chosen[index] = 1
      else if (isPicture) chosen[index] = isInBox && isBeside ? 1 : 0
      else if (before === 1 && isTableFoot(page.tree, index)) chosen[index] = 1
    }
    pending = []
  }
  blocks.forEach(({ words: count, node }, index) => {
    const isText = count > 0 && captions[index] !== 1
    if (!isText || (names[node] === 'pre' && chosen[index] === 0)) {
      pending.push(index)
      return
    }
    const now = chosen[index] as number
    settle(now)
    before = now
  })
  settle(0)
}

/** What stands below a table explains it. */
function isTableFoot({ blocks, names, parents }: PageTree, index: number): boolean {
  let up = blocks[index]?.node ?? 0
  while (up > 0 && names[up] !== 'tfoot') up = parents[up] as number
  return up > 0
}

const captionClass =
  /caption|(?:^|[\s_-])(?:fig(?:ure)?|table)[_-]?(?:label|title|legend|notes?|foot|footnotes?|description)(?:$|[\s_-])/i
/** A block stands so many elements below its caption at the most. */
const captionDepthMax = 3

/**
 * 1 for each short text of a figure with a picture, and for what is named as the caption or the notes of a figure or a
 * table.
 */
function findCaptions(tree: PageTree): Uint8Array {
  const { blocks, names } = tree
  const figureOf = figuresOf(tree)
  const words = new Int32Array(names.length)
  const images = new Int32Array(names.length)
  for (const block of blocks) {
    const figure = figureOf[block.node] as number
    words[figure] = (words[figure] as number) + block.words
    images[figure] = (images[figure] as number) + block.images
  }
  return Uint8Array.from(blocks, ({ node, words: own }) => {
    const figure = figureOf[node] as number
    const isShort = (words[figure] as number) <= captionWordsMax
    if (figure > 0 && isShort && (images[figure] as number) > 0) return 1
    return own > 0 && own <= captionWordsMax && isNamedCaption(tree, node) ? 1 : 0
  })
}

/** For each element the figure around it; 0 if there is none. */
function figuresOf({ names, parents }: PageTree): Int32Array {
  const figureOf = new Int32Array(names.length)
  for (let node = 1; node < names.length; node += 1)
    figureOf[node] = names[node] === 'figure' ? node : (figureOf[parents[node] as number] as number)
  return figureOf
}

function isNamedCaption({ names, parents, attributes }: PageTree, node: number): boolean {
  let up = node
  for (let depth = 0; depth < captionDepthMax && up > 0; depth += 1) {
    if (/^(?:caption|figcaption|tfoot)$/.test(names[up] as string)) return true
    if (captionClass.test(attributes[up]?.get('class') ?? '')) return true
    up = parents[up] as number
  }
  return false
}

/**
 * The h1 right above the content of a short page belongs to it. On long pages the trees know what headings are worth.
 */
function addHeading({ tree: { blocks, names, parents } }: PageMeasures, chosen: Uint8Array): void {
  const words = blocks.reduce(
    (sum, block, index) => sum + block.words * (chosen[index] as number),
    0,
  )
  if (words > wordsOfShortPage) return
  const first = chosen.indexOf(1)
  let between = 0
  for (let index = first - 1; index >= 0 && between <= wordsAfterHeadingMax; index -= 1) {
    const block = blocks[index]
    if (block === undefined) return
    const isHeading = names[block.node] === 'h1' || names[parents[block.node] ?? 0] === 'h1'
    if (isHeading && block.words > 0 && block.words <= headingWordsMax) {
      chosen[index] = 1
      return
    }
    between += block.words
  }
}
