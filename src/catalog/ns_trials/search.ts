import { defineAction, z } from '#core/action.ts'
import { mapRows } from '#core/rows.ts'
import { boughtFor, listPrice, tellPaid } from '../lib/bought.ts'
import { atLeastOne } from '../lib/person-fields.ts'
import { phase, status } from './lib/filters.ts'
import { saidAs } from './lib/said-as.ts'
import { describeStudy, studyObject } from './lib/study.ts'

export const search = defineAction('search', {
  summary:
    'Search clinical studies by condition, treatment, sponsor or words, with status and phase.',
  notes:
    'A status is RECRUITING, COMPLETED, TERMINATED and so on; phase is 1 to 4, EARLY_PHASE1 or NA. Go on with page_token = next_page_token and everything else the same. The id of a result is for ns_trials/get. For papers on the results use ns_scholar/works, for the medicine itself ns_drugs/search.',
  synonyms: [
    'clinical trial',
    'medical study',
    'recruiting patients',
    'nct',
    'drug trial',
    'clinicaltrials.gov',
  ],
  saidAs,
  questions: [
    'are there recruiting trials for type 1 diabetes?',
    'which phase 3 studies test semaglutide?',
    'did the trial of this drug get terminated?',
  ],
  pay: ['mpp'],
  cacheSeconds: 3_600,
  input: z
    .strictObject({
      q: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .optional()
        .describe('Condition, treatment, sponsor or other words.'),
      status: status.optional().describe('RECRUITING, COMPLETED, ...'),
      phase: phase.optional().describe('1, 2, 3, 4, EARLY_PHASE1 or NA.'),
      limit: z.int().min(1).max(100).default(20).describe('Studies to return, at most 100.'),
      page_token: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .optional()
        .describe('next_page_token of the page before.'),
    })
    .refine(atLeastOne('q', 'status', 'phase'), { message: 'Send q, status or phase' }),
  output: z.looseObject({
    provider: z.string(),
    ...boughtFor,
    total: z.int().nullable().describe('Studies that match; told with the first page only.'),
    next_page_token: z.string().nullable(),
    results: z.array(studyObject),
  }),
  price: listPrice(10),
  example: { input: { q: 'cystic fibrosis', status: 'recruiting', phase: 3, limit: 1 }, cents: 10 },
  run: tellPaid(async ({ input, http }) => {
    const { q, limit, page_token: pageToken } = input
    const answer = await http.get('/studies', {
      query: {
        'query.term': q,
        'filter.overallStatus': input.status,
        'filter.advanced': input.phase && `AREA[Phase]${input.phase}`,
        pageSize: limit,
        pageToken,
        countTotal: pageToken === undefined ? 'true' : undefined,
      },
    })
    return {
      provider: 'ClinicalTrials.gov',
      total: answer.totalCount ?? null,
      next_page_token: answer.nextPageToken ?? null,
      results: answer.studies && mapRows(answer.studies, describeStudy),
    }
  }),
})
