import { defineAction, z } from '#core/action.ts'

const text = z.string().trim().min(1).max(5_000)
/** The vendor refuses a longer query, but accepts a long objective. */
const queryCharactersMax = 200

export const search = defineAction('search', {
  summary: 'Search the web by an objective and get long excerpts of the pages found.',
  notes:
    'A second source beside ns_semantic/search and ns_indep/search: other index, other ranking. Say in one sentence what you want to find out; search_queries adds words of your own. Excerpts are longer than the snippets of others. For an answer instead of pages use ns_cite/search, for a report ns_par/task.',
  synonyms: ['second source', 'parallel', 'web search', 'excerpts', 'objective search'],
  questions: [
    'does another index agree with what I found?',
    'find pages that help me decide between these two databases',
    'what else is out there that the first engine missed?',
  ],
  input: z
    .strictObject({
      query: text.optional().describe('What to look for.'),
      search: text.optional().describe('The same as query.'),
      objective: text.optional().describe('What you want to find out, in a sentence.'),
      search_queries: z
        .array(z.string().trim().min(1).max(queryCharactersMax))
        .min(1)
        .max(10)
        .optional()
        .describe('Keyword queries of your own.'),
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      message: 'Send query, objective or search_queries',
    })
    .refine(({ query, search }) => query === undefined || search === undefined, {
      path: ['search'],
      message: 'is another name of query: send one of them',
    }),
  output: z.looseObject({
    search_id: z.string(),
    results: z.array(
      z.looseObject({
        url: z.string(),
        title: z.string().nullish(),
        publish_date: z.string().nullish(),
        excerpts: z.array(z.string()).nullish(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { query: 'when was the United Nations founded?' }, cents: 1 },
  run: ({ input, http }) => {
    const query = input.query ?? input.search
    const objective = input.objective ?? query
    return http.post('/v1/search', {
      objective,
      search_queries: input.search_queries ?? [shorten(query ?? objective ?? '')],
    })
  },
})

/** The first words that fit into a query. */
function shorten(text: string): string {
  if (text.length <= queryCharactersMax) return text
  const words = text.slice(0, queryCharactersMax + 1).replace(/\s+\S*$/, '')
  return words.slice(0, queryCharactersMax)
}
