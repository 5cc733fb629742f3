import { defineAction, z } from '#core/action.ts'
import { perTen, readCost, readRows, recordFields, rows } from './lib/company-rows.ts'

export const jobs = defineAction('jobs', {
  summary: 'List the openings of one company.',
  notes:
    'Each ten records returned cost. For search across companies use ns_jobs/jobs; as sales signals ns_signals/hiring. Needs a subscription of the operator at the vendor.',
  synonyms: ['openings of a company', 'career page', 'company vacancies', 'job listings', 'akta'],
  questions: [
    'what jobs does tesla list?',
    'open positions at one company',
    'is this company hiring engineers?',
  ],
  input: z.strictObject(recordFields),
  output: rows,
  price: perTen(21, 'ten records'),
  example: { input: { company: 'tesla' }, cents: 21 },
  costUsd: readCost,
  run: ({ input, http }) => readRows(http, '/company/jobs/', input),
})
