// From probabilities to the blocks of the answer, with what the trees cannot know about blocks together.
import type { PageMeasures } from './page-measures.ts'
import { type Selection, selectByExpectedF1, selectByThreshold } from './select-blocks.ts'
import { hashRun } from './words.ts'

const runLength = 6
const repeatedShareMax = 0.8
const articleThreshold = 0.5

export function chooseBlocks(page: PageMeasures, probabilities: Float32Array): Selection {
  const { blocks } = page.tree
  const words = blocks.map((block) => block.words)
  const selection = saysArticle(page)
    ? selectByThreshold(probabilities, words, articleThreshold)
    : selectByExpectedF1(probabilities, words)
  const { chosen } = selection
  dropRepeats(page, probabilities, chosen)
  keepPictures(page, chosen)
  return selection
}

export function saysArticle({ head }: PageMeasures): boolean {
  return (
    head.openGraphType === 'article' ||
    / (?:News|Blog|Tech|Scholarly)?(?:Article|BlogPosting|Report) /.test(head.linkedTypes)
  )
}

/** Drops copies of what is chosen elsewhere, such as a hidden version for phones. Repeats side by side are meant. */
export function dropRepeats(
  { tree }: PageMeasures,
  probabilities: ArrayLike<number>,
  chosen: Uint8Array,
): void {
  const { blocks, words } = tree
  const counts = new Map<number, number>()
  const runsOf = (index: number): number[] => {
    const block = blocks[index] as (typeof blocks)[number]
    const runs: number[] = []
    for (let at = 0; at + runLength <= block.words; at += 1)
      runs.push(hashRun(words, block.wordsFrom + at, runLength))
    return runs
  }
  const taken = blocks.map((_block, index) => index).filter((index) => chosen[index] === 1)
  for (const index of taken)
    for (const run of new Set(runsOf(index))) counts.set(run, (counts.get(run) ?? 0) + 1)
  const doubtfulFirst = [...taken].sort(
    (a, b) => (probabilities[a] as number) - (probabilities[b] as number) || b - a,
  )
  for (const index of doubtfulFirst) {
    const hash = blocks[index]?.hash
    if (blocks[index - 1]?.hash === hash || blocks[index + 1]?.hash === hash) continue
    const runs = new Set(runsOf(index))
    let repeated = 0
    for (const run of runs) if ((counts.get(run) as number) > 1) repeated += 1
    if (runs.size === 0 || repeated <= runs.size * repeatedShareMax) continue
    chosen[index] = 0
    for (const run of runs) counts.set(run, (counts.get(run) as number) - 1)
  }
}

/** A block without words goes with the blocks before and after it. */
function keepPictures({ tree: { blocks } }: PageMeasures, chosen: Uint8Array): void {
  let before = 0
  let pending: number[] = []
  blocks.forEach(({ words }, index) => {
    if (words === 0) {
      chosen[index] = 0
      pending.push(index)
      return
    }
    const now = chosen[index] as number
    if (before === 1 && now === 1) for (const picture of pending) chosen[picture] = 1
    pending = []
    before = now
  })
}
