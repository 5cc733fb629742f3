// From probabilities to the blocks of the answer, with what the trees cannot know about blocks together.
import { completeRecords } from './complete-records.ts'
import { dropHiddenCopies } from './drop-hidden-copies.ts'
import { containerOf, deepestHolding, type PageMeasures } from './page-measures.ts'
import { sumUp } from './second-look.ts'
import { type Selection, selectByExpectedF1, selectByThreshold } from './select-blocks.ts'

/** On articles the doubtful is seldom content. */
const articleThreshold = 0.6
/** Where strictness would leave less than this share of the expected F1, the trees know too little to be strict. */
const strictShareMin = 0.6
const articleProseShareMin = 0.3
/** Of what is chosen on an article, nearly all stands in one element; the rest is another article or a comment. */
const articleShare = 0.95
const blocksBeside = 1

export function chooseBlocks(page: PageMeasures, probabilities: Float32Array): Selection {
  const words = page.tree.blocks.map((block) => block.words)
  const isArticle = saysArticle(page)
  const selection = select(probabilities, words, isArticle)
  completeRecords(page, selection.chosen)
  dropHiddenCopies(page.tree, selection.chosen)
  if (isArticle) focus(page, probabilities, selection.chosen)
  keepBetween(page, selection.chosen)
  return selection
}

function select(probabilities: Float32Array, words: readonly number[], isArticle: boolean) {
  const best = selectByExpectedF1(probabilities, words)
  if (!isArticle) return best
  const strict = selectByThreshold(probabilities, words, articleThreshold)
  return strict.confidence < best.confidence * strictShareMin ? best : strict
}

function saysArticle({ head, words, proseWords }: PageMeasures): boolean {
  if ((proseWords[0] as number) <= articleProseShareMin * (words[0] as number)) return false
  return (
    head.openGraphType === 'article' ||
    / (?:News|Blog|Tech|Scholarly)?(?:Article|BlogPosting|Report) /.test(head.linkedTypes)
  )
}

/** Drops what stands further than a block away from the element that holds nearly all. */
function focus(page: PageMeasures, probabilities: Float32Array, chosen: Uint8Array): void {
  const expected = Float64Array.from(page.tree.blocks, ({ words }, index) =>
    chosen[index] === 1 ? words * (probabilities[index] as number) : 0,
  )
  const article = deepestHolding(page.tree, sumUp(page, expected), articleShare)
  const { firstBlock, lastBlock } = containerOf(page.tree, article)
  chosen.fill(0, 0, Math.max(0, firstBlock - blocksBeside))
  chosen.fill(0, lastBlock + blocksBeside + 1)
}

/** A block without words goes with the blocks before and after it. So does code, of which a line says too little. */
function keepBetween({ tree }: PageMeasures, chosen: Uint8Array): void {
  const { blocks, names } = tree
  let before = 0
  let pending: number[] = []
  blocks.forEach(({ words, node }, index) => {
    if (words === 0) chosen[index] = 0
    if (words === 0 || (names[node] === 'pre' && chosen[index] === 0)) {
      pending.push(index)
      return
    }
    const now = chosen[index] as number
    if (before === 1 && now === 1) for (const between of pending) chosen[between] = 1
    pending = []
    before = now
  })
}
