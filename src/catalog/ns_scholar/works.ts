import { defineAction, z } from '#core/action.ts'
import { askList } from './lib/ask-list.ts'
import { listFields, pageFields, pageIsReachable, unreachable } from './lib/list-fields.ts'
import { readableWork, workObject } from './lib/work-object.ts'

export const works = defineAction('works', {
  summary:
    'Search scholarly works: papers, preprints, books and datasets with abstracts and citation counts.',
  notes:
    'Looks for the words of search in titles, abstracts and, for some works, full texts; filter takes the filters of OpenAlex, comma-separated (from_publication_date:2024-01-01,is_oa:true). Names of people are found by ns_scholar/authors first: filter by author.id then. Go on with page = next_page; select keeps answers small. For one known work use ns_scholar/work.',
  synonyms: [
    'papers',
    'academic search',
    'research articles',
    'literature',
    'citations',
    'openalex',
    'scientists',
    'scientific studies',
  ],
  questions: [
    'which papers study coral bleaching?',
    'what is the most cited work on attention?',
    'is there research on this since 2024?',
  ],
  cacheSeconds: 3_600,
  input: z
    .strictObject({
      search: z.string().trim().min(1).max(1_000).optional().describe('Words to look for.'),
      ...listFields,
    })
    .refine(({ search, filter }) => search !== undefined || filter !== undefined, {
      message: 'Send search, filter or both',
    })
    .refine(pageIsReachable, unreachable),
  output: z.looseObject({
    provider: z.string(),
    count: z.int().describe('Works that match; per_page of them are listed.'),
    ...pageFields,
    results: z.array(workObject),
  }),
  price: { cents: 1 },
  example: {
    input: { search: 'open access', filter: 'publication_year:2018', per_page: 1 },
    cents: 1,
  },
  async run({ input, http }) {
    const list = await askList(http, '/works', input)
    return { ...list, results: list.results.map(readableWork) }
  },
})
