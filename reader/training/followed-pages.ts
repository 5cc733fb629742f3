// Articles with another page after them, as on sites that scroll on into the next article, their front page or replies.
// Few pages of the data are like that. These are made, so that what follows an article can be learned.
import { hashText } from '../src/extraction/words.ts'
import type { LabelledPage } from './pages.ts'
import { partOf } from './parts.ts'

const kinds = ['article', 'stream', 'replies'] as const
type FollowerKind = (typeof kinds)[number]

const kindOfType: Readonly<Record<string, FollowerKind>> = {
  article: 'article',
  collection: 'stream',
  listing: 'stream',
  service: 'stream',
  forum: 'replies',
}
const followerCharactersMax = 600_000

/** Makes such pages of articles in the order in which they are read. */
export function createFollower() {
  /** The last page of each kind and part: an article and what follows it stay on one side of each fold. */
  const last = new Map<string, string>()

  return (page: LabelledPage): LabelledPage | undefined => {
    const part = partOf(page.site)
    const asked = kinds[(hashText(page.id) >>> 0) % kinds.length] as FollowerKind
    const follower = last.get(`${part} ${asked}`)
    const kind = kindOfType[page.type]
    if (kind !== undefined && page.html.length <= followerCharactersMax)
      last.set(`${part} ${kind}`, page.html)
    if (page.type !== 'article' || follower === undefined) return undefined
    return { ...page, html: follow(page.html, follower) }
  }
}

/** Puts the middle of the follower before the footer of the article. */
function follow(article: string, follower: string): string {
  const lower = article.toLowerCase()
  const footer = lower.lastIndexOf('<footer')
  const end = lower.lastIndexOf('</body')
  const at = footer > article.length * footerPlaceMin ? footer : end === -1 ? article.length : end
  return `${article.slice(0, at)}<div>${middleOf(follower)}</div>${article.slice(at)}`
}

/** Footers before this share of a page belong to something else. */
const footerPlaceMin = 0.3

function middleOf(html: string): string {
  const starts = [/<(?:main|article)\b/i, /<h1\b/i, /<body\b/i].map((tag) => html.search(tag))
  const from = Math.max(0, starts.find((start) => start !== -1) ?? 0)
  const lower = html.toLowerCase()
  const to = [lower.lastIndexOf('<footer'), lower.lastIndexOf('</body')].find((end) => end > from)
  return html.slice(from, to)
}
