// Markup holds text twice that a reader sees once: for another kind of screen, in a hidden fold, or flattened into one
// block for a script. Such copies are dropped. Repetition that the reader sees stays.
import type { Attributes } from '../page/scan.ts'
import type { PageTree } from './page-tree.ts'
import { hashRun } from './words.ts'

const runLength = 6
/** Below this share, a block has text of its own. */
const copiedShareMin = 0.95
/** A block with this share of all words that repeats blocks of half its size, or less, is an article flattened. */
const flattenedShareMin = 1 / 3
const flattenedPieceMax = 1 / 2

/**
 * Class names of text that is never visible, or visible on one kind of screen: `d-none`, `md:hidden`, `mobile-only`.
 */
const hidingClass =
  /(?<![a-z0-9])(?:(?<!overflow-(?:[xy]-)?)hidden|hide|only|d-(?:\w+-)?none|mobile|desktop|phone)(?![a-z0-9])/i

/** Blocks that may be copies, in page order, and the words of the stream that they hold. */
interface Suspect {
  readonly blocks: number[]
  readonly from: number
  to: number
}

/** Takes hidden copies out of `chosen`. Where a text and its copy are both hidden, the first stays. */
export function dropHiddenCopies(tree: PageTree, chosen: Uint8Array): void {
  const { stream, starts } = readChosen(tree, chosen)
  if (stream.length < runLength * 2) return
  const suspects = [
    ...hiddenParts(tree, chosen, starts),
    ...flattenedBlocks(tree, chosen, starts, stream.length),
  ]
  if (suspects.length === 0) return
  const counter = createRunCounter(stream)
  for (const suspect of suspects.reverse()) {
    const isCopied = counter.copiedElsewhere(suspect)
    for (const block of suspect.blocks) {
      const from = starts[block] as number
      const to = from + (tree.blocks[block]?.words as number)
      if (!isMostly(isCopied, from - suspect.from, to - suspect.from)) continue
      chosen[block] = 0
      counter.remove(from, to)
    }
  }
}

/** The words of the chosen blocks, one after the other, and where each block begins among them. */
function readChosen({ blocks, words }: PageTree, chosen: Uint8Array) {
  const stream: number[] = []
  const starts = new Int32Array(blocks.length)
  blocks.forEach((block, index) => {
    starts[index] = stream.length
    if (chosen[index] !== 1) return
    for (let word = block.wordsFrom; word < block.wordsFrom + block.words; word += 1)
      stream.push(words[word] as number)
  })
  return { stream, starts }
}

/** The blocks of each outermost element that is hidden, as far as its attributes tell. */
function hiddenParts(tree: PageTree, chosen: Uint8Array, starts: Int32Array): Suspect[] {
  const outermost = findOutermostHidden(tree)
  const parts = new Map<number, Suspect>()
  tree.blocks.forEach(({ node, words }, index) => {
    const hidden = outermost[node] as number
    if (hidden === 0 || chosen[index] !== 1 || words === 0) return
    const from = starts[index] as number
    const part = parts.get(hidden) ?? { blocks: [], from, to: from }
    part.blocks.push(index)
    part.to = from + words
    parts.set(hidden, part)
  })
  return [...parts.values()]
}

/** By element: the outermost hidden element that holds it; 0 if there is none. */
function findOutermostHidden({ parents, hidden, attributes }: PageTree): Int32Array {
  const outermost = new Int32Array(parents.length)
  for (let node = 1; node < parents.length; node += 1) {
    const around = outermost[parents[node] as number] as number
    const isHidden = around > 0 || hidden[node] || hasHidingClass(attributes[node] as Attributes)
    if (isHidden) outermost[node] = around || node
  }
  return outermost
}

function hasHidingClass(attributes: Attributes): boolean {
  return hidingClass.test(attributes.get('class') ?? '')
}

function flattenedBlocks(
  { blocks }: PageTree,
  chosen: Uint8Array,
  starts: Int32Array,
  words: number,
): Suspect[] {
  const large = blocks.flatMap((block, index) =>
    chosen[index] === 1 && block.words > words * flattenedShareMin * flattenedPieceMax
      ? [index]
      : [],
  )
  return large.flatMap((index) => {
    const size = blocks[index]?.words as number
    const isLargest = large.every(
      (other) => other === index || (blocks[other]?.words as number) <= size * flattenedPieceMax,
    )
    const from = starts[index] as number
    return isLargest && size >= words * flattenedShareMin
      ? [{ blocks: [index], from, to: from + size }]
      : []
  })
}

function isMostly(flags: Uint8Array, from: number, to: number): boolean {
  let set = 0
  for (let index = from; index < to; index += 1) set += flags[index] as number
  return set >= (to - from) * copiedShareMin
}

/** Counts runs of words across the borders of blocks, so that short blocks count with their neighbours. */
function createRunCounter(stream: readonly number[]) {
  const runs = Int32Array.from({ length: stream.length - runLength + 1 }, (_each, at) =>
    hashRun(stream, at, runLength),
  )
  const counts = new Map<number, number>()
  const add = (some: Map<number, number>, run: number, count: number) =>
    some.set(run, (some.get(run) ?? 0) + count)
  for (const run of runs) add(counts, run, 1)
  const gone = new Uint8Array(runs.length)

  return {
    /** For each word from `from` to `to`, whether a run that holds it occurs outside of them too. */
    copiedElsewhere({ from, to }: Suspect): Uint8Array {
      const copied = new Uint8Array(to - from)
      const inside = new Map<number, number>()
      for (let at = from; at + runLength <= to; at += 1)
        if (gone[at] === 0) add(inside, runs[at] as number, 1)
      for (let at = from; at + runLength <= to; at += 1) {
        const run = runs[at] as number
        if ((counts.get(run) as number) > (inside.get(run) as number))
          copied.fill(1, at - from, at - from + runLength)
      }
      return copied
    },
    remove(from: number, to: number): void {
      for (let at = Math.max(0, from - runLength + 1); at < Math.min(to, runs.length); at += 1) {
        if (gone[at] === 1) continue
        gone[at] = 1
        add(counts, runs[at] as number, -1)
      }
    },
  }
}
