import { defineAction, z } from '#core/action.ts'
import { fundingStages } from './lib/company-filters.ts'

export const options = defineAction('options', {
  summary: 'List the values that the filters of ns_company take: countries and funding stages.',
  notes:
    'Free. For ns_company/lookalikes, ns_company/lookalikes-bulk and ns_company/tech-intent. Slugs of technologies are in ns_jobs/tech-catalog.',
  synonyms: ['filter values', 'country codes', 'allowed options', 'funding stages', 'openfunnel'],
  questions: [
    'which country codes can I filter companies by?',
    'what are the allowed funding stages?',
    'list the filter options for company search',
  ],
  input: z.strictObject({}),
  output: z.looseObject({ countries: z.unknown(), funding_stages: z.array(z.string()) }),
  price: 'free',
  example: { input: {}, cents: 0 },
  run: async ({ http }) => ({
    countries: await http.get('/api/v2/tech/country-options'),
    funding_stages: fundingStages,
  }),
})
