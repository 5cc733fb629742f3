import { defineAction, z } from '#core/action.ts'
import { indexedPage, queryEcho, queryFields, readReply } from './lib/query.ts'

export const news = defineAction('news', {
  summary: 'Search recent news articles, with their age and whether they are breaking news.',
  notes:
    'News only, up to 50 articles in a call. Set freshness (pd for the past day) when only the latest counts. For pages of any kind use ns_indep/search; for news read and summed up ns_rag/search with topic news.',
  synonyms: ['headlines', 'breaking news', 'news articles', 'press coverage', 'current events'],
  questions: [
    'what happened today in this country?',
    'has the press written about this company this week?',
    'is there breaking coverage of the storm?',
  ],
  input: z.strictObject({
    ...queryFields,
    count: z.int().min(1).max(50).default(20).describe('Articles to return.'),
  }),
  output: z.looseObject({
    query: queryEcho,
    results: z.array(
      indexedPage.extend({
        age: z.string().nullable().describe('How old the article is.'),
        breaking: z.boolean().describe('Whether the index takes it for breaking news.'),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { q: 'space launch', count: 2, freshness: 'pw' }, cents: 1 },
  async run({ input, http }) {
    const { results, ...rest } = readReply(await http.get('/news/search', { query: input }))
    // The vendor sends `breaking` only if it is true.
    const flagged = (results ?? []).map((row: { age?: string; breaking?: boolean }) => ({
      ...row,
      age: row.age ?? null,
      breaking: row.breaking ?? false,
    }))
    return { ...rest, results: flagged }
  },
})
