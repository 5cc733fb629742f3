// What the page is called: the heading that the page's own title names, or that title without the name of the site.
import type { PageMeasures } from './page-measures.ts'

const separators = /\s+[|–—·•:»›/-]+\s+|\s*\|\s*/
const titleWordsMax = 40

export function titleOf(page: PageMeasures): string | null {
  const { head, tree, titleBlock, headingBlock } = page
  const named = tree.blocks[titleBlock]
  if (named !== undefined && /^h[1-3]$/.test(tree.names[named.node] as string)) return named.text
  const heading = tree.blocks[headingBlock]
  if (heading !== undefined && heading.words > 0 && heading.words <= titleWordsMax)
    return heading.text
  return withoutSite(head.openGraphTitle || head.title) || null
}

/** The longest part of the title. */
function withoutSite(title: string): string {
  return title
    .split(separators)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}
