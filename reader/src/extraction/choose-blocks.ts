// From probabilities to the blocks of the answer, with what the trees cannot know about blocks together.
import { addCompanions } from './choice/companions.ts'
import { completeRecords } from './choice/complete-records.ts'
import { keepDirectlyInside } from './choice/keep-directly-inside.ts'
import { addLabels } from './choice/labels.ts'
import { findLeftOut, type LeftOut } from './choice/left-out.ts'
import { evenStructures, poolStructures } from './choice/one-label.ts'
import { findStructures } from './choice/structures.ts'
import { dropHiddenCopies } from './drop-hidden-copies.ts'
import type { Judgement } from './judge-blocks.ts'
import { containerOf, deepestHolding, type PageMeasures } from './page-measures.ts'
import type { PageType } from './page-type.ts'
import { sumUp } from './second-look.ts'
import { type Selection, selectByExpectedF1, selectByThreshold } from './select-blocks.ts'

/**
 * Blocks are taken if they are more probably content than not, unless that costs more than this share of the expected
 * F1.
 */
const likelyMin = 0.5
const likelyShareMin = 0.97
/** The box with this share of what is certain on the page holds the article to its end. */
const articleShare = 0.75
/** Replies are seldom this probable, and however many there are, they do not hide the article. */
const certainMin = 0.8
/** Fewer are the head of an article whose text stands elsewhere. */
const articleWordsMin = 80
const boxes: ReadonlySet<string> = new Set(
  'article body center div form main section td'.split(' '),
)

export interface Choice extends Selection {
  readonly leftOut: readonly LeftOut[]
}

export function chooseBlocks(page: PageMeasures, judgement: Judgement, type: PageType): Choice {
  const structures = findStructures(page.tree)
  const probabilities = poolStructures(page, structures, judgement.probabilities)
  const second = poolStructures(page, structures, judgement.second)
  const words = page.tree.blocks.map((block) => block.words)
  const best = selectByExpectedF1(probabilities, words)
  const likely = selectByThreshold(probabilities, words, likelyMin)
  const selection = likely.confidence < best.confidence * likelyShareMin ? best : likely
  if (type === 'other') completeRecords(page, selection.chosen)
  dropHiddenCopies(page.tree, selection.chosen)
  if (type === 'article') endArticle(page, second, selection.chosen)
  addCompanions(page, selection.chosen)
  addLabels(page, selection.chosen)
  keepDirectlyInside(page, structures, probabilities, selection.chosen)
  evenStructures(page, structures, selection.chosen)
  const leftOut = findLeftOut(page, probabilities, selection.chosen)
  return { ...selection, leftOut }
}

/** Drops what follows the element `article` of the page, and what is doubtful after the box of the article. */
function endArticle(page: PageMeasures, probabilities: Float32Array, chosen: Uint8Array): void {
  const { blocks, names, parents } = page.tree
  const isCertain = (block: number) => (probabilities[block] as number) >= certainMin
  const certain = Float64Array.from(blocks, ({ words }, index) =>
    chosen[index] === 1 && isCertain(index) ? words : 0,
  )
  const sums = sumUp(page, certain)
  let box = deepestHolding(page.tree, sums, articleShare)
  // A paragraph or a list may be most of a short article, and more follows it.
  while (box > 0 && !isBox(names[box] as string)) box = parents[box] as number
  if (isOneOfSections(page.tree, sums, box)) box = parents[box] as number
  const { lastBlock } = containerOf(page.tree, box)
  for (let block = lastBlock + 1; block < blocks.length; block += 1)
    if (!isCertain(block)) chosen[block] = 0
  const own = articleAroundTitle(page)
  if (own > 0 && (sums[own] as number) >= articleWordsMin)
    chosen.fill(0, containerOf(page.tree, own).lastBlock + 1)
}

/** A long section does not end an article whose other sections have certain text too. */
function isOneOfSections(
  { names, parents, signatures }: PageMeasures['tree'],
  sums: Float64Array,
  box: number,
): boolean {
  if (names[box] !== 'section') return false
  return sums.some(
    (certain, other) =>
      certain > 0 &&
      other !== box &&
      parents[other] === parents[box] &&
      signatures[other] === signatures[box],
  )
}

/** The element `article` that holds the title of the page; 0 if there is none. */
function articleAroundTitle({ tree, titleBlock, headingBlock }: PageMeasures): number {
  let up = tree.blocks[titleBlock >= 0 ? titleBlock : headingBlock]?.node ?? 0
  while (up > 0 && tree.names[up] !== 'article') up = tree.parents[up] as number
  return up
}

function isBox(name: string): boolean {
  return boxes.has(name) || name.includes('-')
}
