import { defineAction, z } from '#core/action.ts'
import { dealRows, paging, perRow, readCost, readMeta } from './lib/deal-object.ts'

const ids = z.array(z.string().trim().min(1).max(200)).min(1).max(500).optional()
const permalinks = z
  .array(z.string().regex(/^[a-z0-9-]+$/, 'must be a permalink such as san-francisco-california'))
  .min(1)
  .max(100)
  .optional()
const day = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional()
const dollars = z.number().min(0).optional()

export const deals = defineAction('deals', {
  summary: 'Search venture rounds by date, kind, size, company and investors, one row per round.',
  notes:
    'Each row returned costs, so page_size sets the most that a call can cost. Places and industries are exact permalinks; a wrong one finds nothing and says no error. Open a round with ns_funding/deal-investors. For many rows at a flat price use ns_signals/funding.',
  synonyms: [
    'venture deals',
    'funding round search',
    'vc deals',
    'series b rounds',
    'valuation',
    'crunchbase',
    'fundable',
  ],
  questions: [
    'largest Series B rounds since January',
    'which rounds closed this week, with valuation?',
    'funding history of a company with amounts and articles',
  ],
  input: z.strictObject({
    identifiers: z
      .looseObject({})
      .optional()
      .describe('Certain rounds or companies, by id, domain, linkedin or crunchbase.'),
    deal: z
      .looseObject({ date_start: day, date_end: day, size_min: dollars, size_max: dollars })
      .optional()
      .describe('Filters by round: date_start, date_end, financing_types, size_min, size_max.'),
    company: z
      .looseObject({ locations: permalinks, industries: permalinks })
      .optional()
      .describe('Filters by company: locations and industries (permalinks), employee_count.'),
    investors: z.looseObject({ ids }).optional().describe('Filters by investor.'),
    ...paging,
    sort_by: z
      .enum(['most_recent_deal', 'oldest_deal', 'largest_raise', 'smallest_raise'])
      .default('most_recent_deal')
      .describe('What the rounds are sorted by.'),
  }),
  output: dealRows,
  price: perRow,
  example: { input: { deal: { date_start: '2026-01-01' }, page_size: 2 }, cents: 20 },
  costUsd: readCost,
  async run({ input, http }) {
    const { data, meta: about } = await http.post('/deals', input)
    return { deals: data.deals, meta: readMeta(about) }
  },
})
