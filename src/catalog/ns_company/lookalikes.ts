import { defineAction, z } from '#core/action.ts'
import { hasLikeness, likeness, needsLikeness } from './lib/company-filters.ts'

const companiesMax = 100

export const lookalikes = defineAction('lookalikes', {
  summary: 'Find companies like the ones you name, or like the ones you describe.',
  notes:
    'Each company returned costs, so limit sets the most that a call can cost. query on top of seed_domains is a must-have. For more than 100 use ns_company/lookalikes-bulk; for every company of a market ns_company/tam-build; by exact filters ns_jobs/companies.',
  synonyms: [
    'similar companies',
    'competitors',
    'companies like',
    'lookalike audience',
    'alternatives to a company',
    'openfunnel',
  ],
  questions: [
    'find companies similar to datadog.com and grafana.com',
    'who are the competitors of this startup?',
    'healthcare companies that build voice AI, 50 to 500 people',
  ],
  timeoutMs: 125_000,
  input: z
    .strictObject({
      ...likeness,
      limit: z
        .int()
        .min(1)
        .max(companiesMax)
        .default(10)
        .describe('Companies at most; sets the price.'),
    })
    .refine(hasLikeness, needsLikeness),
  output: z.looseObject({
    results: z.array(z.looseObject({ name: z.string().nullish(), domain: z.string().nullish() })),
    total: z.number().nullish(),
    derived_query: z.string().nullish().describe('What the seeds have in common, in words.'),
    unresolved_seed_domains: z.array(z.string()).nullish(),
  }),
  price: {
    cents: 1,
    per: ({ limit }) => limit,
    unit: 'company returned',
    atMost: companiesMax,
    used: ({ results }) => results.length,
  },
  example: { input: { seed_domains: ['example.com'], limit: 2 }, cents: 2 },
  takes: { domain: { place: 4, fills: (domain) => ({ seed_domains: [domain] }) } },
  run: ({ input, http }) => http.get('/api/v1/account/search-lookalikes', { query: input }),
})
