import { defineAction, z } from '#core/action.ts'
import { lookbackDays, tech, variations } from './lib/company-filters.ts'

export const techCompanies = defineAction('tech-companies', {
  summary:
    'List companies whose job postings mention a technology, 50 a page, most mentions first.',
  notes:
    'One price for a page, free when it is empty. To be sure how they use it use ns_company/tech-intent, which costs for each qualified company. With filters by size and industry use ns_jobs/companies; for the stack of one company ns_jobs/technographics.',
  synonyms: [
    'companies using a technology',
    'who uses snowflake',
    'technographic list',
    'install base',
    'openfunnel',
  ],
  questions: [
    'which companies use Snowflake?',
    'list firms that hire people with Kubernetes experience',
    'who runs dbt in production?',
  ],
  input: z.strictObject({
    tech,
    variations,
    include_evidence: z.boolean().optional().describe('Add the posting that mentions it.'),
    lookback_days: lookbackDays,
    page: z.int().min(1).max(1_000).default(1).describe('Page of the results, from 1.'),
  }),
  output: z.looseObject({
    companies: z.array(z.looseObject({ company_name: z.string().nullish() })),
    page: z.number().nullish(),
    has_more: z.boolean().nullish(),
    total_companies_matched: z.number().nullish(),
  }),
  price: { cents: 40, used: ({ companies }) => (companies.length > 0 ? 1 : 0) },
  example: { input: { tech: 'Snowflake', include_evidence: true }, cents: 40 },
  run: ({ input, http }) => http.get('/api/v2/tech/companies', { query: input }),
})
