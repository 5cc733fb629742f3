import { defineAction, z } from '#core/action.ts'
import { court, cursor, searchPage } from './lib/search-page.ts'

const text = z.string().trim().min(1).max(500).optional()

export const dockets = defineAction('dockets', {
  summary:
    'Search the dockets of US federal courts by litigant, case name, docket number or words.',
  notes:
    'Use party_name for litigants; q finds text mentions only, so a company that is sued is found by party_name. A docket_number means something in its court only: send court with it. Twenty a page; go on with cursor = next_cursor. The provider allows few questions a day: budget at most three calls per answer. For published opinions use ns_courts/cases, for companies’ own reports of lawsuits ns_filings/fulltext.',
  synonyms: ['lawsuit', 'litigation', 'pacer', 'court case', 'sued', 'docket sheet', 'recap'],
  questions: [
    'is this company being sued?',
    'which lawsuits name Acme as defendant?',
    'who is the judge in case 3:20-cv-06754?',
    'has my landlord ever gone to federal court?',
  ],
  cacheSeconds: 3_600,
  input: z
    .strictObject({
      q: text.describe('Words in the text of the docket: mentions.'),
      party_name: text.describe('Name of a litigant.'),
      docket_number: text.describe('Docket number, as in 3:20-cv-06754. Send court with it.'),
      court,
      case_name: text.describe('Words of the case name: Apple v. Samsung.'),
      order_by: z
        .enum(['score desc', 'dateFiled desc', 'dateFiled asc', 'entry_date_filed desc'])
        .default('score desc')
        .describe('Best match, or newest or oldest first.'),
      cursor,
    })
    .refine(
      ({ q, party_name, docket_number, case_name }) =>
        [q, party_name, docket_number, case_name].some((value) => value !== undefined),
      { message: 'Send party_name, q, docket_number or case_name' },
    ),
  output: z.looseObject({
    provider: z.string(),
    count: z.int().describe('Dockets that match; large counts are estimates.'),
    next_cursor: z.string().nullable(),
    results: z.array(
      z.looseObject({
        docket_id: z.int().optional(),
        caseName: z.string().nullish(),
        docketNumber: z.string().nullish(),
        court_id: z.string().nullish(),
        dateFiled: z.string().nullish(),
        dateTerminated: z.string().nullish(),
        party: z.array(z.string()).nullish(),
        attorney: z.array(z.string()).nullish(),
        url: z.string().nullable(),
      }),
    ),
  }),
  price: { cents: 1 },
  example: { input: { party_name: 'Epic Games', court: 'cand' }, cents: 1 },
  run: ({ input, http }) => searchPage(http, { type: 'd', ...input }, 'docket_absolute_url'),
})
