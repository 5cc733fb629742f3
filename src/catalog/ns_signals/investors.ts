import { defineAction, z } from '#core/action.ts'
import { paging, rows, text, whole } from './lib/signal-fields.ts'
import { readSorted, sorting, type VendorOrder } from './lib/sorted-rows.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

const investorTypes = [
  'vc',
  'angel',
  'pe',
  'corporate',
  'government',
  'accelerator',
  'family_office',
  'hedge_fund',
  'crowdfunding',
] as const

const vendorOrder: VendorOrder = { discovered_at: 'created_at', amount: 'ticket_size_min' }

export const investors = defineAction('investors', {
  summary: 'List investors by kind, place and ticket size, with focus and contact details.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. sort_by takes occurred_at, discovered_at, amount, employee_count and founded_year only. amount is the smallest cheque. For one investor in depth use ns_enrich/company-funders, for its deals ns_funding/investor-deals.',
  synonyms: [
    'vc list',
    'angel investors',
    'find investors',
    'venture capital database',
    'fundraising',
    'family offices',
    'signalbase',
  ],
  questions: [
    'which angel investors in London write 100k cheques?',
    'list venture funds that invest in climate',
    'find family offices with a ticket size over $1M',
  ],
  input: z
    .strictObject({
      ...paging,
      ...dates,
      type: z.enum(investorTypes).optional().describe('Kind of investor.'),
      headquarters: text.describe('City or region.'),
      ticket_size_min: whole.describe('Smallest cheque, in dollars.'),
      ticket_size_max: whole.describe('Largest cheque, in dollars.'),
      ...sorting(vendorOrder),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: { input: { type: 'vc', ticket_size_min: 100_000, limit: 50 }, cents: 25 },
  run: ({ input, http }) => readSorted(http, '/signals/investors', input, vendorOrder),
})
