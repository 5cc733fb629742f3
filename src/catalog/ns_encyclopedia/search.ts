import { defineAction, z } from '#core/action.ts'
import { mapRows } from '#core/rows.ts'
import { plainText } from '../lib/plain-text.ts'
import { pageUrl, query } from './lib/query.ts'
import { resultsMax, searchInput } from './lib/search-input.ts'

interface Found {
  title: string
  pageid: number
  snippet?: string
  wordcount?: number
  timestamp?: string
}

export const search = defineAction('search', {
  summary: 'Search the articles of Wikipedia by words.',
  notes:
    'Use it to find the exact title for ns_encyclopedia/page. It finds words, not meanings; operators such as intitle:, incategory: and "exact phrase" work. Go on with offset = next_offset, up to 10 000 results. For structured facts use ns_knowledge/search, for the wider web ns_semantic/search.',
  synonyms: [
    'wikipedia',
    'wiki search',
    'encyclopedia',
    'look up a topic',
    'find an article',
    'wikipedia articles about',
  ],
  questions: [
    'is there a Wikipedia article on this?',
    'what is the exact title of the article about the ship?',
    'which articles mention this inventor?',
  ],
  cacheSeconds: 3_600,
  input: searchInput,
  output: z.looseObject({
    provider: z.string(),
    lang: z.string(),
    total: z.int().nullable().describe('Articles that match.'),
    next_offset: z.int().nullable().describe('The offset of the next page; null on the last.'),
    results: z.array(
      z.looseObject({
        title: z.string(),
        pageid: z.int(),
        snippet: z.string().describe('Plain text around the words found.'),
        wordcount: z.int().nullable(),
        timestamp: z.string().nullable().describe('Last edit.'),
        url: z.url(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { q: 'Albert Einstein', lang: 'en' }, cents: 1 },
  async run({ input, http }) {
    const { limit, offset, sort } = input
    const { searchinfo, search: found } = await query(http, input.lang, {
      list: 'search',
      srsearch: input.q,
      srlimit: limit,
      sroffset: offset || undefined,
      srsort: sort === 'relevance' ? undefined : sort,
    })
    const next = offset + (found?.length ?? 0)
    const reachable = Math.min(searchinfo?.totalhits ?? 0, resultsMax)
    return {
      provider: 'Wikipedia',
      lang: input.lang,
      total: searchinfo?.totalhits ?? null,
      next_offset: next > offset && next < reachable ? next : null,
      results:
        found &&
        mapRows(found as Found[], ({ title, pageid, snippet, wordcount, timestamp }) => ({
          title,
          pageid,
          snippet: plainText(snippet ?? ''),
          wordcount: wordcount ?? null,
          timestamp: timestamp ?? null,
          url: pageUrl(input.lang, title),
        })),
    }
  },
})
