// Finds the part of a page that is its content. Linear in the length of the page, iterative, and pure.
import type { SeenPage } from '../page/see-page.ts'
import { eventsOfBlocks, textOfBlocks } from './choice/content-events.ts'
import { chooseBlocks } from './choose-blocks.ts'
import { featuresOf } from './features.ts'
import { lookUp } from './lexicon.ts'
import { loadModel, type Model } from './model/model.ts'
import { evaluateTrees } from './model/trees.ts'
import type { PageMeasures } from './page-measures.ts'
import { readPageTree } from './page-tree.ts'
import { type PageType, pageTypeOf } from './page-type.ts'
import { takeSecondLook } from './second-look.ts'
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
  const probabilities = judgeBlocks(measures, rows, type, model)
  const { chosen, confidence } = chooseBlocks(measures, probabilities, type)
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
  }
}

/** How probable it is of each block that it is content. */
function judgeBlocks(
  page: PageMeasures,
  rows: Float32Array,
  type: PageType,
  { lexicon, first, second }: Model,
): Float32Array {
  const count = page.tree.blocks.length
  const looked = joinRows(count, [rows, lookUp(page, lexicon)])
  const once = evaluateTrees(first, looked, looked.length / count)
  const twice = joinRows(count, [looked, takeSecondLook(page, once)])
  return evaluateTrees(second[type], twice, twice.length / count)
}

export function joinRows(count: number, tables: readonly Float32Array[]): Float32Array {
  const width = tables.reduce((sum, table) => sum + table.length / count, 0)
  const joined = new Float32Array(count * width)
  let from = 0
  for (const table of tables) {
    const own = table.length / count
    for (let row = 0; row < count; row += 1)
      joined.set(table.subarray(row * own, (row + 1) * own), row * width + from)
    from += own
  }
  return joined
}
