import { defineAction, pick, z } from '#core/action.ts'
import { countryName } from './lib/country-name.ts'

const domains = z.array(z.string().trim().min(1).max(255)).min(1).max(150).optional()

export const search = defineAction('search', {
  summary: 'Search the web for passages that are ready to be put into a prompt.',
  notes:
    'Each result comes with the passage that fits the question; include_answer adds a short answer, include_raw_content the whole page as Markdown. country works with topic general only. For an answer with checkable citations use ns_cite/search; for bare links ns_indep/search; to read pages that you know ns_rag/extract.',
  synonyms: ['rag', 'retrieval', 'grounding', 'tavily', 'llm search', 'web search', 'context'],
  questions: [
    'what should my agent read before it answers this?',
    'give me snippets about this topic from the last week',
    'what do finance sites say about this stock today?',
  ],
  input: z
    .strictObject({
      query: z.string().trim().min(1).max(400).describe('What to look for.'),
      max_results: z.int().min(1).max(20).default(5).describe('Results to return.'),
      include_answer: z.boolean().optional().describe('Add a short answer to the question.'),
      include_raw_content: z
        .enum(['markdown'])
        .optional()
        .describe('markdown adds the whole text of each page.'),
      topic: z.enum(['general', 'news', 'finance']).default('general').describe('Kind of sources.'),
      include_domains: domains.describe('Only these sites.'),
      exclude_domains: domains.describe('Not these sites.'),
      time_range: z
        .enum(['day', 'week', 'month', 'year'])
        .optional()
        .describe('Only pages published in the past day, week, month or year.'),
      country: z
        .string()
        .trim()
        .min(2)
        .max(60)
        .optional()
        .describe('Country whose results come first: two-letter code or English name.'),
    })
    .refine(({ country }) => country === undefined || countryName(country) !== undefined, {
      path: ['country'],
      message: 'must be a two-letter country code such as fr, or a name such as france',
    })
    .refine(({ country, topic }) => country === undefined || topic === 'general', {
      path: ['country'],
      message: 'works with topic general only: leave out one of the two',
    }),
  output: z.looseObject({
    query: z.string(),
    answer: z.string().nullish(),
    results: z.array(
      z.looseObject({
        url: z.string(),
        title: z.string(),
        content: z.string().describe('The passage that fits best.'),
        score: z.number().nullish(),
        raw_content: z.string().nullish().describe('The whole page, where asked for.'),
      }),
    ),
    request_id: z.string().nullish(),
  }),
  price: { cents: 1 },
  example: { input: { query: 'who is Leo Messi?', max_results: 1, country: 'fr' }, cents: 1 },
  run: ({ input, http }) =>
    http.post('/search', {
      ...pick(input, 'query', 'max_results', 'include_answer', 'include_raw_content', 'topic'),
      ...pick(input, 'include_domains', 'exclude_domains', 'time_range'),
      country: input.country && countryName(input.country),
      // The other depths cost the operator twice as much.
      search_depth: 'basic',
    }),
})
