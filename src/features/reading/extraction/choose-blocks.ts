// From probabilities to the blocks of the answer, with what the trees cannot know about blocks together.
import { dropCopies } from './drop-copies.ts'
import type { PageMeasures } from './page-measures.ts'
import { type Selection, selectByExpectedF1, selectByThreshold } from './select-blocks.ts'

const articleThreshold = 0.5

export function chooseBlocks(page: PageMeasures, probabilities: Float32Array): Selection {
  const { blocks } = page.tree
  const words = blocks.map((block) => block.words)
  const selection = saysArticle(page)
    ? selectByThreshold(probabilities, words, articleThreshold)
    : selectByExpectedF1(probabilities, words)
  const { chosen } = selection
  dropCopies(page.tree, probabilities, chosen)
  keepPictures(page, chosen)
  return selection
}

export function saysArticle({ head }: PageMeasures): boolean {
  return (
    head.openGraphType === 'article' ||
    / (?:News|Blog|Tech|Scholarly)?(?:Article|BlogPosting|Report) /.test(head.linkedTypes)
  )
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
