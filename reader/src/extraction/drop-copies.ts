// Pages hold their text twice: once for phones, once in a hidden fold. Of what is chosen twice, one is dropped.
import type { Block, PageTree } from './page-tree.ts'
import { hashRun } from './words.ts'

const runLength = 6
/** Below this it is a sentence of the same making with other words in it, such as that of each product in a list. */
const copiedShareMin = 0.95
/** Shorter copies in a row than this are repeated, and not copied. */
const copiedWordsMin = 30
/** Fewer copied words than this are the page's own way of speaking, as in reference manuals. */
const copiedWordsShareMin = 0.05

/** Takes copies out of `chosen`. Repeats side by side are meant and stay. */
export function dropCopies(
  { blocks, words }: PageTree,
  probabilities: ArrayLike<number>,
  chosen: Uint8Array,
): void {
  const taken: number[] = []
  const starts: number[] = []
  const stream: number[] = []
  chosen.forEach((isChosen, index) => {
    if (isChosen !== 1) return
    const { wordsFrom, words: count } = blocks[index] as Block
    taken.push(index)
    starts.push(stream.length)
    for (let word = wordsFrom; word < wordsFrom + count; word += 1)
      stream.push(words[word] as number)
  })
  starts.push(stream.length)
  if (stream.length < runLength * 2) return
  const copies = createCopyCounter(stream)
  const copied = (place: number) =>
    copies.share(starts[place] as number, starts[place + 1] as number)
  const suspects: Suspect[] = []
  let row: Suspect[] = []
  const endRow = () => {
    if (wordsIn(row, blocks) >= copiedWordsMin) suspects.push(...row)
    row = []
  }
  taken.forEach((index, place) => {
    const hash = blocks[index]?.hash
    const isBeside = blocks[index - 1]?.hash === hash || blocks[index + 1]?.hash === hash
    if (isBeside || copied(place) < copiedShareMin) endRow()
    else row.push({ index, place, certainty: Math.round((probabilities[index] as number) * 5) })
  })
  endRow()
  if (wordsIn(suspects, blocks) < stream.length * copiedWordsShareMin) return
  suspects.sort((a, b) => a.certainty - b.certainty || b.index - a.index)
  for (const { index, place } of suspects) {
    if (copied(place) < copiedShareMin) continue
    chosen[index] = 0
    copies.remove(starts[place] as number, starts[place + 1] as number)
  }
}

interface Suspect {
  readonly index: number
  readonly place: number
  /** Low for blocks that are doubtful anyway. */
  readonly certainty: number
}

function wordsIn(suspects: readonly Suspect[], blocks: readonly Block[]): number {
  return suspects.reduce((sum, { index }) => sum + (blocks[index] as Block).words, 0)
}

/** Counts runs of words in a stream, across the borders of blocks, so that short blocks count with their neighbours. */
function createCopyCounter(stream: readonly number[]) {
  const last = stream.length - runLength
  const runs = Int32Array.from({ length: last + 1 }, (_each, at) => hashRun(stream, at, runLength))
  const counts = new Map<number, number>()
  for (const run of runs) counts.set(run, (counts.get(run) ?? 0) + 1)
  const gone = new Uint8Array(last + 1)
  const touching = (from: number, to: number) =>
    [Math.max(0, from - runLength + 1), Math.min(last, to - 1)] as const

  return {
    /** The share of the words from `from` to `to` that are part of a run that occurs elsewhere too. */
    share(from: number, to: number): number {
      const [first, final] = touching(from, to)
      let covered = 0
      let coveredTo = from
      for (let at = first; at <= final; at += 1) {
        // A run that a dropped neighbour broke still counts, if it stands whole elsewhere.
        if ((counts.get(runs[at] as number) as number) < (gone[at] === 1 ? 1 : 2)) continue
        const start = Math.max(at, coveredTo)
        const end = Math.min(at + runLength, to)
        if (end > start) covered += end - start
        coveredTo = Math.max(coveredTo, end)
      }
      return to === from ? 0 : covered / (to - from)
    },
    remove(from: number, to: number): void {
      const [first, final] = touching(from, to)
      for (let at = first; at <= final; at += 1) {
        if (gone[at] === 1) continue
        gone[at] = 1
        const run = runs[at] as number
        counts.set(run, (counts.get(run) as number) - 1)
      }
    },
  }
}
