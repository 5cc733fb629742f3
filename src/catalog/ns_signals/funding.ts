import { defineAction, z } from '#core/action.ts'
import { amounts, commaList, companySize, paging, rows, text, topics } from './lib/signal-fields.ts'
import { readSorted, sorting, type VendorOrder } from './lib/sorted-rows.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

const vendorOrder: VendorOrder = {
  occurred_at: 'occurred_at',
  discovered_at: 'discovered_at',
  amount: 'amount',
  employee_count: 'employee_count',
  founded_year: 'founded_year',
}

export const funding = defineAction('funding', {
  summary: 'List companies that raised money: round, amount, investors and company details.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. Lists are strings with commas. sort_by takes occurred_at, discovered_at, amount, employee_count and founded_year only. For rounds in depth use ns_funding/deals, whose rows cost each; for filings of US offerings ns_filings/fulltext with forms D.',
  synonyms: [
    'funding rounds',
    'who raised money',
    'series a',
    'seed round',
    'startup funding news',
    'recently funded companies',
    'signalbase',
  ],
  questions: [
    'who raised money last week?',
    'list Series A rounds in fintech over $10M this month',
    'which startups did Sequoia fund recently?',
    'companies that just raised a seed round in Germany',
  ],
  input: z
    .strictObject({
      ...paging,
      ...dates,
      round: commaList.describe('Rounds, with commas: Seed,Series A.'),
      round_flavor: z
        .enum(['bridge', 'extension', 'secondary'])
        .optional()
        .describe('Flavor of the round.'),
      ...amounts,
      investor_name: text.describe('Part of an investor’s name.'),
      company_name: text.describe('Part of the company’s name.'),
      ...topics,
      ...companySize,
      ...sorting(vendorOrder),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: { input: { date_preset: 'last_30d', round: 'Series A', limit: 50 }, cents: 25 },
  run: ({ input, http }) => readSorted(http, '/signals/funding', input, vendorOrder),
})
