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
  const fillClasses = scoreClasses(page, lexicon)
  let at = 0
  let headingText = 0
  let headingWords = 0
  blocks.forEach((block, index) => {
    at = fillClasses(block.node, rows, at)
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

/** Scores each element and what is around it, once for all blocks. */
function scoreClasses({ tree: { parents, classWords } }: PageMeasures, { classes }: Lexicon) {
  const count = parents.length
  /** The mean of each element's own class words; NaN where none is known. */
  const own = new Float32Array(count).fill(Number.NaN)
  const low = new Float32Array(count)
  const high = new Float32Array(count)
  const sums = new Float64Array(count)
  const known = new Int32Array(count)
  for (let node = 1; node < count; node += 1) {
    const parent = parents[node] as number
    const score = meanScore(classWords[node] as readonly number[], classes)
    const isKnown = score !== undefined
    if (isKnown) own[node] = score
    low[node] = Math.min(low[parent] as number, score ?? 0)
    high[node] = Math.max(high[parent] as number, score ?? 0)
    sums[node] = (sums[parent] as number) + (score ?? 0)
    known[node] = (known[parent] as number) + (isKnown ? 1 : 0)
  }

  return (node: number, row: Float32Array, start: number): number => {
    let nearLow = 0
    let nearHigh = 0
    let up = node
    for (let level = 0; level < nearLevels && up > 0; level += 1) {
      const score = own[up] as number
      if (score < nearLow) nearLow = score
      if (score > nearHigh) nearHigh = score
      up = parents[up] as number
    }
    let at = start
    row[at++] = own[node] || 0
    row[at++] = nearLow
    row[at++] = nearHigh
    row[at++] = low[node] as number
    row[at++] = high[node] as number
    row[at++] = (sums[node] as number) / Math.max(1, known[node] as number)
    return at
  }
}

function meanScore(words: readonly number[], classes: Lexicon['classes']): number | undefined {
  let sum = 0
  let known = 0
  for (const word of words) {
    const score = classes.get(word)
    if (score === undefined) continue
    sum += score
    known += 1
  }
  return known === 0 ? undefined : sum / known
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
