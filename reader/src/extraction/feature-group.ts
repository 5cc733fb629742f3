import type { PageMeasures } from './page-measures.ts'

export interface FeatureGroup {
  readonly names: readonly string[]
  /** Gives the function that writes the features of a block into `row` from `at` on, and returns where it ended. */
  prepare(page: PageMeasures): (block: number, row: Float32Array, at: number) => number
}
