import { type Action, defineAction, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { IndexSearch, SearchHit } from '../search.ts'
import { indexId } from './fields.ts'

const hits = { max: 20, usual: 5 } as const
const queryCharactersMax = 1_000

const hitSchema = z.object({
  index_id: z.uuid(),
  url: z.string(),
  passage_url: z.string().describe('The address of the passage, where its section has one.'),
  title: z.string(),
  headings: z.array(z.string()).describe('Those above the passage, the outermost first.'),
  position: z.int().describe('Of the passage in its page, from 0.'),
  snippet: z.string().describe('The part of the passage with the most words of the query.'),
  matched_words: z.array(z.string()).describe('The words of the query in the snippet.'),
  text: z.string().describe('The whole passage.'),
  score: z.number().describe('Comparable within one answer.'),
  indexed_at: z.string().describe('When the page was last read: ISO 8601.'),
})

export function createSearchIndex({ search }: { readonly search: IndexSearch }): Action {
  return defineAction('search-index', {
    summary: 'Search the sites that you have indexed.',
    notes:
      'Each hit is the best passage of a page, with the headings above it. Words count in all their forms, in the language of the page; names such as max_connections are found whole and in parts. Pages with a phrase in quotes come first, and misspelt words are corrected. Free: the pages were paid for by index-site, which also updates them. onesearch searches the web.',
    synonyms: [
      'search my docs',
      'search index',
      'site search',
      'search documentation',
      'query knowledge base',
      'full text search',
    ],
    questions: [
      'search my indexed documentation for how to rotate keys',
      'which page of our docs explains refunds?',
      'find the passage about timeouts in my index',
    ],
    input: z.strictObject({
      query: z.string().trim().min(1).max(queryCharactersMax),
      index_id: indexId.optional().describe('Absent: all your indexes.'),
      limit: z.int().min(1).max(hits.max).default(hits.usual),
    }),
    output: z.object({ hits: z.array(hitSchema).describe('Best first, one for each page.') }),
    price: 'free',
    example: { input: { query: 'how are webhooks signed?', limit: 5 }, cents: 0 },
    async run({ input, caller }) {
      const { query, limit, index_id } = input
      const found = await search.search(ownerOf(caller), query, { limit, indexId: index_id })
      if (found === undefined)
        throw fail('not_found', {
          message: 'You have no index yet. Make one with index-site. Nothing was charged.',
        })
      return { hits: found.map(toHit) }
    },
  })
}

function toHit({ indexId: id, passageUrl, matchedWords, indexedAt, ...hit }: SearchHit) {
  return {
    index_id: id,
    ...hit,
    headings: [...hit.headings],
    passage_url: passageUrl,
    matched_words: [...matchedWords],
    indexed_at: indexedAt.toISOString(),
  }
}
