// Everything that the trees look at, as one row of numbers for each block.
import { blockFeatures } from './block-features.ts'
import type { FeatureGroup } from './feature-group.ts'
import { neighbourFeatures } from './neighbour-features.ts'
import { pageFeatures } from './page-features.ts'
import { measurePage, type PageMeasures } from './page-measures.ts'
import type { PageTree } from './page-tree.ts'
import { placeFeatures } from './place-features.ts'

const groups: readonly FeatureGroup[] = [
  blockFeatures,
  placeFeatures,
  neighbourFeatures,
  pageFeatures,
]

export const featureNames: readonly string[] = groups.flatMap(({ names }) => names)

export interface PageFeatures {
  readonly measures: PageMeasures
  /** Row after row, one for each block. */
  readonly rows: Float32Array
}

export function featuresOf(tree: PageTree, address: string): PageFeatures {
  const measures = measurePage(tree, address)
  const width = featureNames.length
  const rows = new Float32Array(tree.blocks.length * width)
  let from = 0
  for (const { names, prepare } of groups) {
    const fill = prepare(measures)
    for (let block = 0; block < tree.blocks.length; block += 1) {
      const start = block * width + from
      const end = fill(block, rows, start)
      if (end !== start + names.length)
        throw new Error(`${names.length} features are named, and ${end - start} are measured.`)
    }
    from += names.length
  }
  return { measures, rows }
}
