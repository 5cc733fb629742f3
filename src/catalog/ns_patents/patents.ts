import { defineAction, z } from '#core/action.ts'
import { applicationObject, page, searchApplications } from './lib/application.ts'

export const patents = defineAction('patents', {
  summary: 'Search US patent applications and patents by words, with dates of filing.',
  notes:
    'Takes words, "phrases", AND, OR, NOT, and fields such as applicationMetaData.inventionTitle:drone. Covers applications filed since 2001. Go on with offset. For all that one organization holds use ns_patents/assignees; for papers instead of patents ns_scholar/works.',
  synonyms: [
    'patent search',
    'patents by topic',
    'patents about',
    'prior art',
    'inventions',
    'uspto',
    'patent application',
    'intellectual property',
  ],
  questions: [
    'are there patents on foldable drones?',
    'what did this inventor file since 2020?',
    'has this invention been patented?',
  ],
  cacheSeconds: 3_600,
  input: z.strictObject({
    q: z.string().trim().min(1).max(1_000).describe('Words, "phrases" or field:value.'),
    date_gte: z.iso.date().optional().describe('Filed on this day or later.'),
    date_lte: z.iso.date().optional().describe('Filed on this day or earlier.'),
    ...page,
  }),
  output: z.looseObject({ total: z.int(), results: z.array(applicationObject) }),
  price: { cents: 1 },
  example: { input: { q: 'foldable drone', date_gte: '2020-01-01', limit: 1 }, cents: 1 },
  run({ input, http, clock }) {
    const { q, date_gte, date_lte, limit, offset } = input
    const dated = date_gte !== undefined || date_lte !== undefined
    return searchApplications(http, {
      q,
      rangeFilters: dated
        ? [
            {
              field: 'applicationMetaData.filingDate',
              valueFrom: date_gte ?? '2001-01-01',
              valueTo: date_lte ?? new Date(clock.now()).toISOString().slice(0, 10),
            },
          ]
        : undefined,
      sort: [{ field: 'applicationMetaData.filingDate', order: 'Desc' }],
      pagination: { offset, limit },
    })
  },
})
