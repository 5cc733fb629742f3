import { defineAction, z } from '#core/action.ts'
import { indexedPage, queryEcho, queryFields, readReply } from './lib/query.ts'

const kinds = ['web', 'news', 'videos', 'faq', 'discussions'] as const
const isKind = (name: string) => kinds.some((kind) => kind === name.trim())
const group = z.looseObject({ results: z.array(z.looseObject({})) }).nullish()

export const search = defineAction('search', {
  summary: 'Search the web by keyword in an index that does not depend on the big engines.',
  notes:
    'Use it for exact words, names, operators such as site: and for fresh pages (freshness). It matches words: to describe what a page is about use ns_semantic/search, for an answer with its sources ns_cite/search. For headlines only use ns_indep/news, which gives up to 50. A second opinion besides it is ns_par/search.',
  synonyms: [
    'web search',
    'keyword search',
    'brave',
    'search engine',
    'serp',
    'google alternative',
    'google search',
  ],
  questions: [
    'what do pages say that mention this exact phrase?',
    'which forum discussions are there about this error message?',
    'what has been published on this site in the last month?',
  ],
  input: z.strictObject({
    ...queryFields,
    count: z.int().min(1).max(20).default(20).describe('Results to return.'),
    result_filter: z
      .string()
      .trim()
      .refine((list) => list.split(',').every(isKind), {
        message: `must be a comma list of ${kinds.join(', ')}`,
      })
      .transform((list) => list.replaceAll(/\s/g, ''))
      .optional()
      .describe('Comma list of the kinds of results wanted: web, news, videos, faq, discussions.'),
  }),
  output: z.looseObject({
    query: queryEcho,
    web: z.looseObject({ results: z.array(indexedPage) }).nullish(),
    news: group,
    videos: group,
    faq: group,
    discussions: group,
  }),
  price: { cents: 1 },
  example: { input: { q: 'typescript type stripping', count: 2, freshness: 'py' }, cents: 1 },
  run: async ({ input, http }) => readReply(await http.get('/web/search', { query: input })),
})
