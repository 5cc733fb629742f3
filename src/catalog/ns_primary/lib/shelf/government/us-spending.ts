import { z } from '#core/action.ts'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { defineSource, mapList } from '../../source.ts'
import { day, figure, needed, pageNumber, rowsUpTo, text, words } from '../../source-fields.ts'

/** One search covers one group of award types. */
const groups = {
  contracts: ['A', 'B', 'C', 'D'],
  grants: ['02', '03', '04', '05'],
  loans: ['07', '08'],
  direct_payments: ['06', '10'],
} as const

const fields = [
  'Award ID',
  'Recipient Name',
  'Award Amount',
  'Start Date',
  'End Date',
  'Awarding Agency',
  'Awarding Sub Agency',
  'Description',
]
/** The service searches from this fiscal year on. */
const firstDay = '2007-10-01'
const lastDay = '2099-12-31'

export const usSpending = defineSource({
  summary: 'Contracts, grants and loans of the US government: recipient, agency, amount and dates.',
  synonyms: [
    'federal contracts',
    'government spending',
    'usaspending',
    'federal awards',
    'grants won',
  ],
  source: 'USAspending.gov',
  host: 'api.usaspending.gov',
  pacing: [{ requests: 2, windowMs: 1_000 }],
  rememberSeconds: 0,
  input: z.strictObject({
    q: words.optional().describe('Words to look for.'),
    recipient: words.optional().describe('Part of the name of who got the money, or its UEI.'),
    agency: words.optional().describe('Name of the agency that awards: Department of Defense.'),
    award: z
      .enum(['contracts', 'grants', 'loans', 'direct_payments'])
      .default('contracts')
      .describe('Kind of award.'),
    from: day.optional().describe('First day.'),
    to: day.optional().describe('Last day.'),
    page: pageNumber,
    limit: rowsUpTo(100, 20),
  }),
  anyOf: ['q', 'recipient', 'agency'],
  row: z.object({
    id: needed.describe('Identifier of the award.'),
    recipient: text.describe('Who got the money.'),
    amount_usd: figure.describe('What was awarded; for loans see the page of the award.'),
    starts: text.describe('First day of the work.'),
    ends: text.describe('Last day of the work.'),
    agency: text.describe('The agency that awards.'),
    sub_agency: text.describe('Its part that awards.'),
    description: text.describe('What the money is for.'),
    url: text.describe('The page of the award.'),
  }),
  example: { recipient: 'Example Aerospace', award: 'contracts', from: '2025-10-01', limit: 2 },
  async read({ input, ask }) {
    const { q, recipient, agency, award, from = firstDay, to = lastDay, page, limit } = input
    const body = await ask.post('/api/v2/search/spending_by_award/', {
      filters: {
        award_type_codes: groups[award],
        time_period: [{ start_date: from, end_date: to }],
        keywords: q === undefined ? undefined : [q],
        recipient_search_text: recipient === undefined ? undefined : [recipient],
        agencies:
          agency === undefined ? undefined : [{ type: 'awarding', tier: 'toptier', name: agency }],
      },
      fields,
      sort: 'Award Amount',
      order: 'desc',
      page,
      limit,
      subawards: false,
    })
    return {
      next_page: body?.page_metadata?.hasNext === true ? page + 1 : null,
      items: mapList(body?.results, describeAward),
    }
  },
})

function describeAward(row: UntypedJson) {
  const id = row.generated_internal_id
  return {
    id: row['Award ID'],
    recipient: row['Recipient Name'],
    amount_usd: row['Award Amount'],
    starts: row['Start Date'],
    ends: row['End Date'],
    agency: row['Awarding Agency'],
    sub_agency: row['Awarding Sub Agency'],
    description: row.Description,
    url: id ? `https://www.usaspending.gov/award/${encodeURIComponent(id)}` : null,
  }
}
