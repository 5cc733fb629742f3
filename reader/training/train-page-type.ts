// Trains the trees that tell articles from other pages, on what is the same for all blocks of a page.

import type { Trees } from '../src/extraction/model/trees.ts'
import { pageRow, pageTypeNames } from '../src/extraction/page-type.ts'
import { binFeatures } from './bins.ts'
import { type BoostOptions, boost } from './boost.ts'
import type { Example } from './examples.ts'

export function trainPageType(examples: readonly Example[], options: BoostOptions): Trees {
  const pages = examples.map(({ page }) => ({
    tables: [{ rows: pageRow(page), width: pageTypeNames.length }],
    chosen: Uint32Array.of(0),
  }))
  return boost(
    binFeatures(pages),
    Float32Array.from(examples, (example) => (isArticle(example) ? 1 : 0)),
    new Float32Array(pages.length).fill(1),
    options,
  )
}

/** Pages with snippets are articles, but for a few that the data does not tell apart. */
export function isArticle({ type }: Example): boolean {
  return type === 'article' || type === 'snippets'
}
