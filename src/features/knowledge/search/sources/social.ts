// Posts of social platforms, as they are.
import type { SourceResult } from '../evidence.ts'
import type { Platform } from '../facets.ts'
import { type SearchQuestion, type SearchSource, shorten } from './source.ts'

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

export const socialPosts: Readonly<Record<Platform, SearchSource>> = Object.fromEntries(
  Object.entries(searches).map(([platform, { id, ask }]) => [
    platform,
    {
      id,
      async search({ text }: SearchQuestion, call) {
        const { rows } = await call(id, { ...ask(text), maxItems: postsPerSource })
        return (rows as Readonly<Record<string, unknown>>[]).flatMap(readPost)
      },
    } satisfies SearchSource,
  ]),
) as unknown as Readonly<Record<Platform, SearchSource>>

/** Each actor has its own names for the fields of a post, and operators may choose other actors. */
const addressFields = ['url', 'webVideoUrl', 'postUrl', 'link', 'twitterUrl', 'mblogUrl']
const textFields = ['fullText', 'text', 'caption', 'body', 'content', 'description']
const dateFields = ['createTimeISO', 'timestamp', 'createdAt', 'date', 'created_at', 'uploadDate']

function readPost(row: Readonly<Record<string, unknown>>): SourceResult[] {
  const first = (names: readonly string[]) =>
    names.map((name) => row[name]).find((value) => typeof value === 'string' && value !== '') as
      | string
      | undefined
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
