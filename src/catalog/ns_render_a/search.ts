import { defineAction, pick, z } from '#core/action.ts'

export const search = defineAction('search', {
  summary: 'Search the web by words, as a search engine does.',
  notes:
    'Results carry title, description and address. For news, images, recency or the text of the results use ns_render_b/search; to search by meaning ns_semantic/search.',
  synonyms: ['web search', 'google', 'serp', 'firecrawl search', 'find pages', 'keyword search'],
  questions: [
    'look this up on the web for me',
    'which sites come up for these words?',
    'find the official homepage of this project',
  ],
  timeoutMs: 75_000,
  input: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('What to look for; operators work.'),
    limit: z.int().min(1).max(100).default(10).describe('Results to return.'),
  }),
  output: z.looseObject({
    results: z.array(
      z.looseObject({
        url: z.string(),
        title: z.string().nullish(),
        description: z.string().nullish(),
      }),
    ),
    warning: z.string().nullish(),
  }),
  price: { cents: 1 },
  example: { input: { query: 'web scraping with typescript', limit: 2 }, cents: 1 },
  async run({ input, http }) {
    const { data, warning } = await http.post('/search', pick(input, 'query', 'limit'))
    // Servers of the vendor's first version return the bare list. Later ones omit a source without results.
    return { results: Array.isArray(data) ? data : data && (data.web ?? []), warning }
  },
})
