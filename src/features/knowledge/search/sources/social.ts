// Posts of social platforms, as they are.

import { keysOf, recordOf } from '#core/input/records.ts'
import type { SourceResult } from '../evidence.ts'
import type { Platform } from '../facets.ts'
import { type SearchSource, shorten } from './source.ts'

const postsPerSource = 20
const titleCharactersMax = 120
const snippetCharactersMax = 300

interface Asking {
  readonly id: string
  readonly ask: (text: string) => object
}

const words = (text: string) => [shorten(text, 500)]
const searches: Readonly<Record<Platform, Asking>> = {
  tiktok: { id: 'tiktok/search', ask: (text) => ({ searchQueries: words(text) }) },
  // Instagram has no search by words: posts are found by their hashtags.
  instagram: { id: 'instagram/hashtags', ask: (text) => ({ hashtags: [hashtag(text)] }) },
  youtube: { id: 'youtube/search', ask: (text) => ({ searchQueries: words(text) }) },
  twitter: { id: 'twitter/search', ask: (text) => ({ searchTerms: words(text) }) },
  weibo: { id: 'weibo/search', ask: (text) => ({ keywords: words(text) }) },
  reddit: { id: 'reddit/search', ask: (text) => ({ keywords: words(text) }) },
}

const hashtag = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 100) || text

export const socialPosts: Readonly<Record<Platform, SearchSource>> = recordOf(
  keysOf(searches),
  (platform) => {
    const { id, ask } = searches[platform]
    return {
      id,
      async search({ text }, call) {
        const input = { ...ask(text), maxItems: postsPerSource }
        const { rows } = await call<{ rows: Readonly<Record<string, unknown>>[] }>(id, input)
        return rows.flatMap(readPost)
      },
    }
  },
)

/** Each actor has its own names for the fields of a post, and operators may choose other actors. */
const addressFields = ['url', 'webVideoUrl', 'postUrl', 'link', 'twitterUrl', 'mblogUrl']
const textFields = ['fullText', 'text', 'caption', 'body', 'content', 'description']
const dateFields = ['createTimeISO', 'timestamp', 'createdAt', 'date', 'created_at', 'uploadDate']

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function readPost(row: Readonly<Record<string, unknown>>): SourceResult[] {
  const first = (names: readonly string[]) =>
    names.map((name) => textOf(row[name])).find((text) => text !== '')
  const url = first(addressFields)
  const title = first(['title'])
  const text = first(textFields) ?? title
  if (url === undefined || text === undefined) return []
  const date = Date.parse(first(dateFields) ?? '')
  return [
    {
      url,
      content: text,
      primary: true,
      title: shorten(title ?? text, titleCharactersMax),
      snippet: shorten(text, snippetCharactersMax),
      ...(!Number.isNaN(date) && { published_at: new Date(date).toISOString() }),
    },
  ]
}
