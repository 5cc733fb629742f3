// Finds the part of a page that is its content. Linear in the length of the page, iterative, and pure.
import type { SeenPage } from '../page/see-page.ts'
import { eventsOfBlocks, textOfBlocks } from './choice/content-events.ts'
import type { LeftOut } from './choice/left-out.ts'
import { chooseBlocks } from './choose-blocks.ts'
import { featuresOf } from './features.ts'
import { judgeBlocks } from './judge-blocks.ts'
import { loadModel, type Model } from './model/model.ts'
import { readPageTree } from './page-tree.ts'
import { pageTypeOf } from './page-type.ts'
import { titleOf } from './title.ts'

export interface MainContent {
  /** 1 for each event of the page that belongs to a chosen block. */
  readonly taken: Uint8Array
  /** A line for each chosen block. */
  readonly text: string
  readonly words: number
  readonly title: string | null
  /** The word F1 that is expected of the choice, from 0 to 1. */
  readonly confidence: number
  /** What stands in or next to it and may belong to it. */
  readonly leftOut: readonly LeftOut[]
}

/** Undefined when no part of the page is content. `address` may be empty. */
export function extractMain(
  page: SeenPage,
  address: string,
  model: Model = loadModel(),
): MainContent | undefined {
  const tree = readPageTree(page)
  if (tree.blocks.length === 0) return undefined
  const { measures, rows } = featuresOf(tree, address)
  const type = pageTypeOf(measures, model.pageType)
  const judgement = judgeBlocks(measures, rows, type, model)
  const { chosen, confidence, leftOut } = chooseBlocks(measures, judgement, type)
  const words = tree.blocks.reduce(
    (sum, block, index) => sum + block.words * (chosen[index] ?? 0),
    0,
  )
  if (words === 0) return undefined
  return {
    taken: eventsOfBlocks(tree, chosen),
    text: textOfBlocks(tree, chosen),
    words,
    title: titleOf(measures),
    confidence,
    leftOut,
  }
}
