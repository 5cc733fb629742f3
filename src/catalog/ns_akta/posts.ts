import { defineAction, z } from '#core/action.ts'
import { perTen, readCost, readRows, recordFields, rows } from './lib/company-rows.ts'

export const posts = defineAction('posts', {
  summary: 'Read the social posts of a company.',
  notes:
    'Each ten records returned cost. For the accounts that follow a person use ns_enrich/person-interactions. Needs a subscription of the operator at the vendor.',
  synonyms: [
    'company social media',
    'linkedin posts of a company',
    'social feed',
    'company announcements',
    'akta',
  ],
  questions: [
    'what does this company post on social media?',
    'latest LinkedIn posts by tesla',
    'social activity of acme.com',
  ],
  input: z.strictObject(recordFields),
  output: rows,
  price: perTen(16, 'ten records'),
  example: { input: { company: 'tesla' }, cents: 16 },
  costUsd: readCost,
  run: ({ input, http }) => readRows(http, '/company/posts/', input),
})
