// What single words and class names have been worth on the pages of the training data, beyond what anybody would list.
import type { PageMeasures } from './page-measures.ts'

/** How much more, or less, than the rest of their pages the blocks are content that have a word: from -1 to 1. */
export interface Lexicon {
  /** By the hash of a part of a class name or an id. */
  readonly classes: ReadonlyMap<number, number>
  readonly words: ReadonlyMap<number, number>
  /** By the hash of all words of a block. */
  readonly texts: ReadonlyMap<number, number>
}

const nearLevels = 3

export const lexiconNames: readonly string[] = [
  'own class',
  'lowest near class',
  'highest near class',
  'lowest class around',
  'highest class around',
  'mean class around',
  'mean word',
  'lowest word',
  'highest word',
  'text',
  'text of heading',
  'mean word of heading',
]

export function lookUp(page: PageMeasures, lexicon: Lexicon): Float32Array {
  const { blocks, names } = page.tree
  const rows = new Float32Array(blocks.length * lexiconNames.length)
  const own = scoreElements(page, lexicon)
  let at = 0
  let headingText = 0
  let headingWords = 0
  blocks.forEach((block, index) => {
    at = fillClasses(page, own, block.node, rows, at)
    const words = scoreWords(page, lexicon, index)
    const text = lexicon.texts.get(block.hash) ?? 0
    rows[at++] = words.mean
    rows[at++] = words.lowest
    rows[at++] = words.highest
    rows[at++] = text
    rows[at++] = headingText
    rows[at++] = headingWords
    if (!/^h[1-6]$/.test(names[block.node] as string)) return
    headingText = text
    headingWords = words.mean
  })
  return rows
}

/** The mean of each element's own class words; NaN where none is known. */
function scoreElements({ tree }: PageMeasures, { classes }: Lexicon): Float32Array {
  return Float32Array.from(tree.classWords, (words) => {
    let sum = 0
    let known = 0
    for (const word of words) {
      const score = classes.get(word)
      if (score === undefined) continue
      sum += score
      known += 1
    }
    return known === 0 ? Number.NaN : sum / known
  })
}

function fillClasses(
  { tree }: PageMeasures,
  own: Float32Array,
  node: number,
  rows: Float32Array,
  start: number,
): number {
  let low = 0
  let high = 0
  let nearLow = 0
  let nearHigh = 0
  let sum = 0
  let known = 0
  let level = 0
  for (let up = node; up > 0; up = tree.parents[up] as number) {
    const score = own[up] as number
    level += 1
    if (Number.isNaN(score)) continue
    sum += score
    known += 1
    low = Math.min(low, score)
    high = Math.max(high, score)
    if (level > nearLevels) continue
    nearLow = low
    nearHigh = high
  }
  const first = own[node] as number
  let at = start
  rows[at++] = Number.isNaN(first) ? 0 : first
  rows[at++] = nearLow
  rows[at++] = nearHigh
  rows[at++] = low
  rows[at++] = high
  rows[at++] = sum / Math.max(1, known)
  return at
}

function scoreWords({ tree }: PageMeasures, lexicon: Lexicon, index: number) {
  const { wordsFrom, words } = tree.blocks[index] as (typeof tree.blocks)[number]
  let sum = 0
  let lowest = 0
  let highest = 0
  for (let word = wordsFrom; word < wordsFrom + words; word += 1) {
    const score = lexicon.words.get(tree.words[word] as number) ?? 0
    sum += score
    lowest = Math.min(lowest, score)
    highest = Math.max(highest, score)
  }
  return { mean: sum / Math.max(1, words), lowest, highest }
}
