// Whether a page is an article. What belongs to an article ends with it; on other pages lists and replies are content.

import { evaluateTrees, type Trees } from './model/trees.ts'
import { pageFeatures } from './page-features.ts'
import type { PageMeasures } from './page-measures.ts'

export type PageType = 'article' | 'other'

export const pageTypeNames: readonly string[] = pageFeatures.names

export function pageRow(page: PageMeasures): Float32Array {
  const row = new Float32Array(pageTypeNames.length)
  pageFeatures.prepare(page)(0, row, 0)
  return row
}

export function pageTypeOf(page: PageMeasures, trees: Trees): PageType {
  const [probability = 0] = evaluateTrees(trees, pageRow(page), pageTypeNames.length)
  return probability > 0.5 ? 'article' : 'other'
}
