import { defineAction, z } from '#core/action.ts'
import { company, perCompany, readCost, readRows, rows } from './lib/company-rows.ts'

export const websiteTraffic = defineAction('website-traffic', {
  summary: 'See how much traffic the website of a company gets.',
  notes:
    'Free when nothing is known. For what the site says use onescrape; for its technologies ns_jobs/technographics. Needs a subscription of the operator at the vendor.',
  synonyms: ['web traffic', 'site visits', 'similarweb', 'visitors of a website', 'akta'],
  questions: [
    'how many visitors does this website get?',
    'traffic trend of acme.com',
    'which competitor site has more visits?',
  ],
  input: z.strictObject({ company }),
  output: rows,
  price: perCompany(11),
  example: { input: { company: 'tesla' }, cents: 11 },
  takes: { domain: { place: 5, fills: (company) => ({ company }) } },
  costUsd: readCost,
  run: ({ input, http }) => readRows(http, '/company/website-traffic/', input),
})
