import { defineAction, z } from '#core/action.ts'
import { court, cursor, searchPage } from './lib/search-page.ts'

export const cases = defineAction('cases', {
  summary: 'Search the published opinions of US courts: case law with citations and snippets.',
  notes:
    'Finds decisions by what they say; "phrases", AND, OR and NOT work. Each result holds the opinions of one decision. Twenty a page; go on with cursor = next_cursor. The provider allows few questions a day: budget at most three calls per answer. For filings and litigants of running cases use ns_courts/dockets, for regulations ns_regs/search.',
  synonyms: [
    'case law',
    'court opinions',
    'precedent',
    'judgment',
    'ruling',
    'decisions',
    'holding',
  ],
  questions: [
    'what did the supreme court say about qualified immunity?',
    'which cases cite the fair use doctrine for software?',
    'is there precedent on scraping public websites?',
  ],
  cacheSeconds: 3_600,
  input: z.strictObject({
    q: z.string().trim().min(1).max(1_000).describe('Words or "phrases" of the opinion.'),
    court,
    case_name: z.string().trim().min(1).max(500).optional().describe('Words of the case name.'),
    filed_after: z.iso.date().optional().describe('Filed on this day or later.'),
    filed_before: z.iso.date().optional().describe('Filed on this day or earlier.'),
    order_by: z
      .enum(['score desc', 'dateFiled desc', 'dateFiled asc', 'citeCount desc', 'citeCount asc'])
      .default('score desc')
      .describe('Best match, newest, oldest, or most or least cited first.'),
    cursor,
  }),
  output: z.looseObject({
    provider: z.string(),
    count: z.int().describe('Decisions that match; large counts are estimates.'),
    next_cursor: z.string().nullable(),
    results: z.array(
      z.looseObject({
        cluster_id: z.int().optional(),
        caseName: z.string().nullish(),
        court: z.string().nullish(),
        court_id: z.string().nullish(),
        dateFiled: z.string().nullish(),
        citation: z.array(z.string()).nullish(),
        citeCount: z.int().nullish(),
        opinions: z.array(z.looseObject({})).nullish().describe('With snippet and type.'),
        url: z.string().nullable(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { q: '"fair use" AND "software"', court: 'scotus' }, cents: 1 },
  run: ({ input, http }) => searchPage(http, { type: 'o', ...input }, 'absolute_url'),
})
