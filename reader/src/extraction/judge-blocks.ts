// How probable it is of each block that it is content. Trees look twice: at the block, and at what they thought of the
// blocks around it.
import { lexiconNames, lookUp } from './lexicon.ts'
import type { Model } from './model/model.ts'
import { evaluateTrees } from './model/trees.ts'
import type { PageMeasures } from './page-measures.ts'
import type { PageType } from './page-type.ts'
import { secondLookNames, takeSecondLook } from './second-look.ts'

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
  const own = rows.length / count
  const seen = own + lexiconNames.length
  const width = seen + secondLookNames.length
  const table = new Float32Array(count * width)
  placeRows(rows, count, table, 0)
  placeRows(lookUp(page, lexicon), count, table, own)
  const once = evaluateTrees(first, table, width)
  placeRows(takeSecondLook(page, once), count, table, seen)
  const twice = evaluateTrees(second[type], table, width)
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

/** Tables of numbers, each with as many rows, side by side. */
export function joinRows(count: number, tables: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(tables.reduce((sum, table) => sum + table.length, 0))
  let from = 0
  for (const table of tables) {
    placeRows(table, count, joined, from)
    from += table.length / count
  }
  return joined
}

/** Copies the rows into a wider table, from the column `from` on. */
function placeRows(rows: Float32Array, count: number, table: Float32Array, from: number): void {
  const own = rows.length / count
  const width = table.length / count
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < own; column += 1)
      table[row * width + from + column] = rows[row * own + column] as number
}
