// How probable it is of each block that it is content. Trees look twice: at the block, and at what they thought of the blocks around it.
import { lookUp } from './lexicon.ts'
import type { Model } from './model/model.ts'
import { evaluateTrees } from './model/trees.ts'
import type { PageMeasures } from './page-measures.ts'
import type { PageType } from './page-type.ts'
import { takeSecondLook } from './second-look.ts'

export interface Judgement {
  /** By both looks. Two judges err less than one. */
  readonly probabilities: Float32Array
  /** By the second look alone, which has learned on articles what follows them. */
  readonly second: Float32Array
}

export function judgeBlocks(
  page: PageMeasures,
  rows: Float32Array,
  type: PageType,
  { lexicon, first, second }: Model,
): Judgement {
  const count = page.tree.blocks.length
  const looked = joinRows(count, [rows, lookUp(page, lexicon)])
  const once = evaluateTrees(first, looked, looked.length / count)
  const joined = joinRows(count, [looked, takeSecondLook(page, once)])
  const twice = evaluateTrees(second[type], joined, joined.length / count)
  return {
    probabilities: twice.map((each, block) => mix(once[block] as number, each)),
    second: twice,
  }
}

const firstShare = 0.35

/** The mean of the log-odds. */
function mix(once: number, twice: number): number {
  const logOdds = firstShare * logOddsOf(once) + (1 - firstShare) * logOddsOf(twice)
  return 1 / (1 + Math.exp(-logOdds))
}

function logOddsOf(probability: number): number {
  const bounded = Math.min(1 - probabilityMin, Math.max(probabilityMin, probability))
  return Math.log(bounded / (1 - bounded))
}

const probabilityMin = 1e-6

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
