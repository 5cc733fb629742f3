import { defineAction, pick, z } from '#core/action.ts'
import { expand } from './lib/moments.ts'
import { costDollars, resultObject } from './lib/result-object.ts'

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const domains = z.array(z.string().trim().min(1).max(255)).min(1).max(1_000).optional()
/** The vendor filters these categories by entity, and refuses other filters as unsupported. */
const entityCategories = new Set(['people', 'company'])
const unsupported = ['start_published_date', 'end_published_date', 'exclude_domains'] as const

export const search = defineAction('search', {
  summary: 'Search the web by meaning rather than by keyword.',
  notes:
    'Describe the page you want as a sentence. Without a date filter neural search returns stale results for recent topics: set start_published_date. Categories people and company take no date and no exclude_domains filters. Deep types read more and are slower. To read known pages use ns_semantic/contents; for exact words use type keyword or ns_indep/search.',
  synonyms: [
    'web search',
    'neural search',
    'search by meaning',
    'exa',
    'find pages',
    'google',
    'research',
    'find people',
    'find companies',
  ],
  questions: [
    'which start-ups build robots for vineyards?',
    'find essays that argue against remote work',
    'pages similar in spirit to this idea that I describe',
  ],
  timeoutMs: 90_000,
  input: z
    .strictObject({
      query: z.string().trim().min(1).max(10_000).describe('What to look for.'),
      type: z
        .enum(['auto', 'neural', 'keyword', 'deep-lite', 'deep', 'deep-reasoning'])
        .default('auto')
        .describe('How to search; auto chooses.'),
      numResults: z.int().min(1).max(100).default(10).describe('Results to return.'),
      contents: z
        .strictObject({ text: z.boolean().optional().describe('Return the text of each page.') })
        .optional()
        .describe('What to return of each page.'),
      start_published_date: date.optional().describe('ISO date; only pages published since.'),
      end_published_date: date.optional().describe('ISO date; only pages published until then.'),
      include_domains: domains.describe('Only these sites.'),
      exclude_domains: domains.describe('Not these sites.'),
      category: z
        .enum(['news', 'research', 'github', 'people', 'company'])
        .optional()
        .describe('Only pages of this kind.'),
    })
    .superRefine((input, { addIssue }) => {
      for (const name of unsupported) {
        if (!entityCategories.has(input.category ?? '') || input[name] === undefined) continue
        const message = `is not supported with category ${input.category}: leave it out`
        addIssue({ code: 'custom', path: [name], message })
      }
    }),
  output: z.looseObject({
    requestId: z.string().optional(),
    searchType: z.string().optional().describe('The type that auto has chosen.'),
    results: z.array(resultObject),
    costDollars,
  }),
  price: { cents: 1 },
  example: { input: { query: 'Latest developments in LLM capabilities', numResults: 1 }, cents: 1 },
  costUsd: (output) => output.costDollars?.total,
  run: ({ input, http }) =>
    http.post('/search', {
      ...pick(input, 'query', 'type', 'numResults', 'contents'),
      startPublishedDate: expand(input.start_published_date, '00:00:00.000'),
      endPublishedDate: expand(input.end_published_date, '23:59:59.999'),
      includeDomains: input.include_domains,
      excludeDomains: input.exclude_domains,
      category: input.category === 'research' ? 'research paper' : input.category,
    }),
})
