// What the page is called: the heading that the page's own title names, or that title without the name of the site.
import type { PageMeasures } from './page-measures.ts'
import type { Block } from './page-tree.ts'

const separators = /\s+[|–—·•:»›/-]+\s+|\s*\|\s*/
const titleWordsMax = 40

export function titleOf(page: PageMeasures): string | null {
  const { head, tree, titleBlock, headingBlock } = page
  const heading = tree.blocks[headingBlock]
  const isShort = heading !== undefined && heading.words > 0 && heading.words <= titleWordsMax
  if (isShort && sharedWithTitle(page, heading) >= sharedMin) return heading.text
  // The h1 of some sites is their own name; then another heading is the page's.
  const named = tree.blocks[titleBlock]
  if (named !== undefined && /^h[1-3]$/.test(tree.names[named.node] as string)) return named.text
  if (isShort) return heading.text
  return withoutSite(head.openGraphTitle || head.title) || null
}

const sharedMin = 0.5

/** The share of the block's words that are in the page's title too. */
function sharedWithTitle({ tree, titleWords }: PageMeasures, block: Block): number {
  const words = tree.words.slice(block.wordsFrom, block.wordsFrom + block.words)
  return words.filter((word) => titleWords.has(word)).length / Math.max(1, words.length)
}

/** The longest part of the title. */
function withoutSite(title: string): string {
  return title
    .split(separators)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}
