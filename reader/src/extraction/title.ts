// What the page is called: the heading that the page's own title names, or that title without the name of the site.
import type { PageMeasures } from './page-measures.ts'
import type { Block } from './page-tree.ts'
import { wordHashes } from './words.ts'

const separators = /\s+[|–—·•:»›/-]+\s+|\s*\|\s*/
const titleWordsMax = 40
/** How much longer than the host the name of a site may be: "The Mill Shop" is at mill.example. */
const siteNameExtra = 6

export function titleOf(page: PageMeasures): string | null {
  const { head, tree, titleBlock } = page
  const own = headingsOf(page).filter((heading) => !isSiteName(page, heading.text))
  const titles = [head.openGraphTitle, head.title].map((title) => ` ${plainWords(title)} `)
  const whole = own.find(({ text }) =>
    titles.some((title) => title.includes(` ${plainWords(text)} `)),
  )
  const heading = whole ?? own.find((block) => sharedWithTitle(page, block) >= sharedMin)
  if (heading !== undefined) return heading.text
  // The h1 of some sites is their own name; then another heading is the page's.
  const named = tree.blocks[titleBlock]
  if (
    named !== undefined &&
    /^h[1-3]$/.test(tree.names[named.node] as string) &&
    sharedWithTitle(page, named) >= sharedFarMin &&
    !isSiteName(page, named.text)
  )
    return named.text
  const title = withoutSite(page, head.openGraphTitle || head.title)
  // Applications are called App, and shops Home.
  const fallback = own[0]?.text ?? headingsOf(page)[0]?.text
  return (plainWords(title).includes(' ') ? title : fallback || title) || null
}

const sharedMin = 0.5
/** A heading other than h1 must meet a higher bar. */
const sharedFarMin = 0.8
const headingsMax = 20

/** What stands in an h1. */
function headingsOf({ tree: { blocks, names, parents } }: PageMeasures): readonly Block[] {
  const found: Block[] = []
  for (const block of blocks) {
    if (block.words === 0 || block.words > titleWordsMax || found.length >= headingsMax) continue
    if (names[block.node] === 'h1' || names[parents[block.node] ?? 0] === 'h1') found.push(block)
  }
  return found
}

/** The share of the block's words that are in the page's title too. */
function sharedWithTitle({ tree, head, titleWords }: PageMeasures, block: Block): number {
  const words = tree.words.slice(block.wordsFrom, block.wordsFrom + block.words)
  const elsewhere = new Set(wordHashes(head.title))
  return (
    words.filter((word) => titleWords.has(word) || elsewhere.has(word)).length /
    Math.max(1, words.length)
  )
}

/** Titles end with the name of their site, and hosts are called after it. */
function isSiteName(page: PageMeasures, text: string): boolean {
  const words = plainWords(text)
  const titles = [page.head.title, page.head.openGraphTitle]
  const isLast = titles.some((title) => {
    const parts = partsOf(title)
    return parts.length > 1 && plainWords(parts.at(-1) ?? '') === words
  })
  if (isLast) return true
  const isWhole = titles.every((title) => title === '' || plainWords(title) === words)
  return !isWhole && isHostName(page, words)
}

function isHostName({ url }: PageMeasures, words: string): boolean {
  const host = plainWords((url?.hostname ?? '').replace(/^www\./, '').replace(/\.[^.]*$/, ''))
  const [name, site] = [words, host].map((text) => text.replaceAll(' ', ''))
  if (name === undefined || site === undefined || name.length < 2 || site.length < 2) return false
  return site.includes(name) || (name.includes(site) && name.length <= site.length + siteNameExtra)
}

/** The first part of the title that is not the site's name, or the longest if that is a single word. */
function withoutSite(page: PageMeasures, title: string): string {
  const parts = partsOf(title)
  const own = parts.filter((part) => !isHostName(page, plainWords(part)))
  const left = own.length > 0 ? own : parts
  const [first = ''] = left
  if (plainWords(first).includes(' ')) return first
  return left.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

function partsOf(title: string): string[] {
  return title.split(separators).filter((part) => part.trim() !== '')
}

function plainWords(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ')
}
