import { defineAction, z } from '#core/action.ts'
import { commaList, paging, rows, text, topics } from './lib/signal-fields.ts'
import { readSorted, sorting, type VendorOrder } from './lib/sorted-rows.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

const vendorOrder: VendorOrder = { occurred_at: 'date_posted', discovered_at: 'created_at' }

export const hiring = defineAction('hiring', {
  summary:
    'List openings as a sales signal: which company hires for which role, where and since when.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. Lists are strings with commas. sort_by takes occurred_at, discovered_at, amount, employee_count and founded_year only. occurred_at is the day of the posting. Most places are in the US. For postings with full text and salaries use ns_jobs/jobs; for people who started a role ns_signals/job-changes.',
  synonyms: [
    'hiring signals',
    'companies hiring',
    'open roles',
    'growing teams',
    'headcount growth signal',
    'signalbase',
  ],
  questions: [
    'which small companies are hiring salespeople right now?',
    'who is building an engineering team in Texas?',
    'companies with many open marketing roles',
  ],
  input: z
    .strictObject({
      ...paging,
      ...dates,
      positions: commaList.describe('Titles, with commas.'),
      departments: commaList.describe('Departments, with commas.'),
      seniorities: commaList.describe('Levels, with commas.'),
      states: commaList.describe('US state codes, with commas.'),
      city: text.describe('City or region.'),
      team_size: commaList.describe('Sizes of the company, with commas: 1-10,11-50.'),
      applicants: commaList.describe('Numbers of applicants, with commas: 0-25.'),
      ...topics,
      ...sorting(vendorOrder),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: { input: { date_preset: 'last_7d', departments: 'sales', limit: 50 }, cents: 25 },
  run: ({ input, http }) => readSorted(http, '/signals/hiring', input, vendorOrder),
})
