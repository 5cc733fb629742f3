// Finds the part of a page that is its content. Linear in the length of the page, iterative, and pure.
import { chooseBlocks } from './choose-blocks.ts'
import { featureNames, featuresOf } from './features.ts'
import { loadModel, type Model } from './model.ts'
import { repairMojibake } from './mojibake.ts'
import { readPageTree } from './page-tree.ts'
import { prunePage, textOfBlocks } from './prune.ts'
import { titleOf } from './title.ts'
import { evaluateTrees } from './trees.ts'

export interface MainContent {
  /** The chosen blocks with the elements around them, attributes as the page has them: to be cleaned before use. */
  readonly html: string
  readonly text: string
  readonly words: number
  readonly title: string | null
  /** The word F1 that is expected of the choice, from 0 to 1. */
  readonly confidence: number
}

/** Undefined when no part of the page is content. `address` may be empty. */
export function extractMain(
  html: string,
  address: string,
  model: Model = loadModel(),
): MainContent | undefined {
  const tree = readPageTree(repairMojibake(html))
  if (tree.blocks.length === 0) return undefined
  const { measures, rows } = featuresOf(tree, address)
  const [first] = model.stages
  if (first === undefined) return undefined
  const probabilities = evaluateTrees(first, rows, featureNames.length)
  const { chosen, confidence } = chooseBlocks(measures, probabilities)
  const words = tree.blocks.reduce((sum, block, index) => sum + block.words * (chosen[index] ?? 0), 0)
  if (words === 0) return undefined
  return {
    html: prunePage(tree, chosen),
    text: textOfBlocks(tree, chosen),
    words,
    title: titleOf(measures),
    confidence,
  }
}
