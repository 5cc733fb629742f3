import { defineAction, z } from '#core/action.ts'
import { company, perCompany, readCost, readRows, rows } from './lib/company-rows.ts'

export const headcountTrends = defineAction('headcount-trends', {
  summary: 'See how the number of employees of a company has developed.',
  notes:
    'Free when nothing is known. For openings as a sign of growth use ns_signals/hiring. Needs a subscription of the operator at the vendor.',
  synonyms: [
    'headcount growth',
    'employee count history',
    'how fast is a company growing',
    'workforce trend',
    'akta',
  ],
  questions: [
    'how many people work at this company, and is it growing?',
    'headcount trend of tesla over the last years',
    'did acme.com lay people off?',
  ],
  input: z.strictObject({ company }),
  output: rows,
  price: perCompany(13),
  example: { input: { company: 'tesla' }, cents: 13 },
  costUsd: readCost,
  run: ({ input, http }) => readRows(http, '/company/headcount-trends/', input),
})
