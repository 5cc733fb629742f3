import { defineAction, z } from '#core/action.ts'
import { perTen, readCost, readRows, recordFields, rows } from './lib/company-rows.ts'

export const employeeReviews = defineAction('employee-reviews', {
  summary: 'Read what employees say about a company.',
  notes:
    'Each ten records returned cost. For what customers say use ns_akta/product-reviews. Needs a subscription of the operator at the vendor.',
  synonyms: ['glassdoor', 'employer reviews', 'working at a company', 'staff satisfaction', 'akta'],
  questions: [
    'what do employees think of this company?',
    'is tesla a good place to work?',
    'employer ratings and complaints',
  ],
  input: z.strictObject(recordFields),
  output: rows,
  price: perTen(16, 'ten records'),
  example: { input: { company: 'tesla' }, cents: 16 },
  costUsd: readCost,
  run: ({ input, http }) => readRows(http, '/company/employee-reviews/', input),
})
