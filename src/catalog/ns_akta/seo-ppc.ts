import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { company, rows } from './lib/company-rows.ts'

const centsMost = 3

export const seoPpc = defineAction('seo-ppc', {
  summary:
    'Research what a company ranks for in search engines and which keywords it advertises on.',
  notes:
    'It is unavailable for now: the provider publishes no such endpoint. For visits to a website use ns_akta/website-traffic, for what people search for ns_trends/fetch, for the faults of a page ns_primary/fetch with endpoint site-audit.',
  synonyms: ['seo research', 'ppc keywords', 'organic rankings', 'google ads spend', 'akta'],
  questions: [
    'which keywords does my competitor rank for?',
    'what does this company spend on Google Ads?',
    'which search terms does acme.com bid on?',
  ],
  unavailable:
    'The public reference of akta.pro has no endpoint for SEO and PPC research, so that this gateway does not know what to send. There is nothing to set until there is one.',
  input: z.strictObject({ company }),
  output: rows,
  price: { upToCents: centsMost, settle: () => centsMost },
  example: { input: { company: 'tesla' }, cents: centsMost },
  run: () => {
    throw fail('provider_not_configured')
  },
})
