import { defineAction, z } from '#core/action.ts'
import { commaList, paging, rows, text } from './lib/signal-fields.ts'
import { readSorted, sorting, type VendorOrder } from './lib/sorted-rows.ts'
import { dates, oneTimeSpan, oneTimeSpanMessage } from './lib/time-span.ts'

const vendorOrder: VendorOrder = { occurred_at: 'occurred_at', discovered_at: 'discovered_at' }

export const jobChanges = defineAction('job-changes', {
  summary: 'List people who took a new role: person, role, company and profiles.',
  notes:
    'Flat price per call: ask for 50 to 100 rows at once. Lists are strings with commas. sort_by takes occurred_at, discovered_at, amount, employee_count and founded_year only. For openings use ns_signals/hiring; for people by title whether they moved or not ns_contact/people-search.',
  synonyms: [
    'new hires',
    'executive moves',
    'leadership changes',
    'promotions',
    'champion tracking',
    'who changed jobs',
    'signalbase',
  ],
  questions: [
    'which CTOs started a new job this month?',
    'who joined as VP of Sales recently?',
    'tell me about leadership changes at fintech companies',
  ],
  people: true,
  input: z
    .strictObject({
      ...paging,
      ...dates,
      positions: commaList.describe('Titles, with commas: cto,vp of sales.'),
      departments: commaList.describe('Departments, with commas: engineering,sales.'),
      seniorities: commaList.describe('Levels, with commas: c_level,vp.'),
      new_role: text.describe('Part of the new title.'),
      person_name: text.describe('Part of the person’s name.'),
      company_name: text.describe('Part of the company’s name.'),
      ...sorting(vendorOrder),
    })
    .refine(oneTimeSpan, oneTimeSpanMessage),
  output: rows,
  price: { cents: 25 },
  example: { input: { date_preset: 'last_30d', positions: 'cto', limit: 50 }, cents: 25 },
  run: ({ input, http }) => readSorted(http, '/signals/job-changes', input, vendorOrder),
})
