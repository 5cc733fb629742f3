import { defineAction, z } from '#core/action.ts'
import { amounts, commaList, companySize, paging, rows, text, topics } from './lib/signal-fields.ts'
import { readSorted, sorting, type VendorOrder } from './lib/sorted-rows.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

const vendorOrder: VendorOrder = {
  occurred_at: 'occurred_at',
  discovered_at: 'discovered_at',
  amount: 'amount',
  employee_count: 'employee_count',
}

export const acquisitions = defineAction('acquisitions', {
  summary: 'List companies that were bought or merged: buyer, target, amount and date.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. Lists are strings with commas. sort_by takes occurred_at, discovered_at, amount, employee_count and founded_year only. For rounds of funding use ns_signals/funding; for the paperwork of US deals ns_filings/fulltext.',
  synonyms: [
    'mergers and acquisitions',
    'm&a deals',
    'takeovers',
    'exits',
    'who bought whom',
    'signalbase',
  ],
  questions: [
    'which companies were acquired this month?',
    'what did Salesforce buy in the last year?',
    'recent M&A deals in cybersecurity',
  ],
  input: z
    .strictObject({
      ...paging,
      ...dates,
      acquiring_company: text.describe('Part of the buyer’s name.'),
      acquirer_countries: commaList.describe('Country codes of the buyer, with commas.'),
      company_name: text.describe('Part of the target’s name.'),
      ...amounts,
      ...topics,
      ...companySize,
      ...sorting(vendorOrder),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: {
    input: { date_preset: 'last_30d', acquiring_company: 'Example', limit: 50 },
    cents: 25,
  },
  run: ({ input, http }) => readSorted(http, '/signals/acquisitions', input, vendorOrder),
})
