import { defineAction, pick, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { mainContent } from '../lib/web-page.ts'

const sources = ['web', 'news', 'images'] as const

export const search = defineAction('search', {
  summary: 'Search the web, news or images, and read the pages found in the same call.',
  notes:
    'With scrapeOptions each web result carries its page. tbs limits results to the last hour (qdr:h), day, week, month or year. All results are in one list, each with its source. For more than 20 results use ns_render_a/search; to search by meaning ns_semantic/search.',
  synonyms: ['web search', 'news search', 'image search', 'serp', 'fastcrw', 'search and scrape'],
  questions: [
    'find pictures of this building',
    'what was published in the last hour about the election?',
    'search and read the top hits at once',
  ],
  timeoutMs: 75_000,
  input: z.strictObject({
    query: z.string().trim().min(1).max(2_000).describe('What to look for.'),
    limit: z.int().min(1).max(20).default(5).describe('Results to return of each source.'),
    scrapeOptions: z
      .strictObject({
        formats: z
          .array(z.enum(['markdown', 'html', 'rawHtml', 'links']))
          .min(1)
          .default(['markdown'])
          .describe('What to return of each page.'),
        onlyMainContent: mainContent,
      })
      .optional()
      .describe('Read the pages found.'),
    tbs: z
      .enum(['qdr:h', 'qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'])
      .optional()
      .describe('Only results of the last hour, day, week, month or year.'),
    sources: z
      .array(z.enum(sources))
      .min(1)
      .optional()
      .describe('Where to look; the web unless set.'),
  }),
  output: z.looseObject({
    results: z.array(
      z.looseObject({
        source: z.enum(sources),
        url: z.string(),
        title: z.string().nullish(),
        description: z.string().nullish(),
        markdown: z.string().nullish(),
      }),
    ),
    warning: z.string().nullish(),
  }),
  price: { cents: 1 },
  example: { input: { query: 'renewable energy trends 2024', limit: 3 }, cents: 1 },
  async run({ input, http }) {
    const fields = ['query', 'limit', 'scrapeOptions', 'tbs', 'sources'] as const
    const { data, warning } = await http.post('/v1/search', pick(input, ...fields))
    return { results: readResults(data), warning }
  },
})

/** A list, or one list for each source. A self-hosted server nests either one level deeper. */
function readResults(data: { results?: unknown } | null | undefined): object[] {
  const found = data?.results ?? data
  if (typeof found !== 'object' || found === null) throw fail('upstream_error')
  const bySource = (Array.isArray(found) ? { web: found } : found) as Record<string, object[]>
  return sources.flatMap((source) => (bySource[source] ?? []).map((row) => ({ ...row, source })))
}
