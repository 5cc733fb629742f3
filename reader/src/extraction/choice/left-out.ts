// What stands in or next to the content and was not taken: the reader may have erred there, and says so.
import { containerOf, deepestHolding, type PageMeasures } from '../page-measures.ts'
import { sumUp } from '../second-look.ts'
import { findStructures, type Structure } from './structures.ts'

export interface LeftOut {
  readonly kind: 'table' | 'list' | 'quote' | 'code' | 'text'
  readonly words: number
}

/** The box of the content holds this share of the chosen words. */
const boxShare = 0.9
/** Less is a button or a label. */
const wordsMin = 8
const linkShareMax = 0.5
/** Of lists and texts, which furniture is made of. */
const probabilityMin = 0.05
const leftOutMax = 20
const kinds: Readonly<Record<string, LeftOut['kind']>> = {
  table: 'table',
  ul: 'list',
  ol: 'list',
  dl: 'list',
  blockquote: 'quote',
  pre: 'code',
}

/** In page order. Texts that follow each other count as one. */
export function findLeftOut(
  page: PageMeasures,
  probabilities: ArrayLike<number>,
  chosen: Uint8Array,
): LeftOut[] {
  const found: { kind: LeftOut['kind']; words: number }[] = []
  const taken = new Set(
    page.tree.blocks.flatMap(({ hash }, index) => (chosen[index] ? [hash] : [])),
  )
  let lastText = -1
  for (const part of partsNearContent(page, chosen)) {
    const { words, linkWords } = count(page, part)
    const kind = kinds[page.tree.names[part.node] as string] ?? 'text'
    const isFurniture =
      linkWords > words * linkShareMax ||
      ((kind === 'text' || kind === 'list') && (probabilities[part.first] ?? 0) < probabilityMin)
    if (isFurniture || isCopy(page, part, taken)) continue
    const text = found.at(-1)
    if (kind === 'text' && text !== undefined && lastText === part.first - 1) text.words += words
    else found.push({ kind, words })
    lastText = kind === 'text' ? part.last : -1
  }
  return found.filter(({ words }) => words >= wordsMin).slice(0, leftOutMax)
}

/** The structures and the single blocks that were not taken, from the block before the content to the one after it. */
function partsNearContent(page: PageMeasures, chosen: Uint8Array): Structure[] {
  const { tree } = page
  const words = Float64Array.from(tree.blocks, (block, index) =>
    chosen[index] === 1 ? block.words : 0,
  )
  const box = containerOf(tree, deepestHolding(tree, sumUp(page, words), boxShare))
  const firstChosen = chosen.indexOf(1)
  const lastChosen = chosen.lastIndexOf(1)
  const structureFrom = new Map(findStructures(tree).map((each) => [each.first, each]))
  const parts: Structure[] = []
  for (let index = box.firstBlock; firstChosen >= 0 && index <= box.lastBlock; index += 1) {
    const block = { node: tree.blocks[index]?.node ?? 0, first: index, last: index }
    const part = structureFrom.get(index) ?? block
    index = part.last
    if (chosen[part.first] === 1) continue
    if (part.last >= firstChosen - 1 && part.first <= lastChosen + 1) parts.push(part)
  }
  return parts
}

function count({ tree }: PageMeasures, { first, last }: Structure) {
  let words = 0
  let linkWords = 0
  for (const block of tree.blocks.slice(first, last + 1)) {
    words += block.words
    linkWords += block.linkWords
  }
  return { words, linkWords }
}

/** Whether everything in it was taken elsewhere. */
function isCopy({ tree }: PageMeasures, { first, last }: Structure, taken: ReadonlySet<number>) {
  const blocks = tree.blocks.slice(first, last + 1)
  return blocks.every(({ hash, words }) => words === 0 || taken.has(hash))
}
