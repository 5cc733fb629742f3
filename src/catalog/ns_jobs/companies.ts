import { defineAction, z } from '#core/action.ts'
import { companyFilters, metadata, page } from './lib/search-fields.ts'

const limitMax = 5

export const companies = defineAction('companies', {
  summary: 'Search companies by size, industry, tech stack and the jobs that they post.',
  notes:
    'Needs limit (at most 5); a search that finds nothing is free. Technologies are slugs of ns_jobs/tech-catalog. job_filters takes the filters of ns_jobs/jobs, and min_num_jobs_found how many postings must fit them. For companies like others use ns_company/lookalikes; for the stack of one company ns_jobs/technographics.',
  synonyms: [
    'company search',
    'companies using a technology',
    'firmographic filter',
    'account list',
    'target companies',
    'theirstack',
  ],
  questions: [
    'which companies with 50 to 200 employees use Snowflake?',
    'list fintech companies in France that hire data engineers',
    'find companies by tech stack and headcount',
  ],
  input: z.strictObject({
    ...companyFilters,
    min_revenue_usd: z.number().min(0).optional().describe('Least yearly revenue.'),
    max_revenue_usd: z.number().min(0).optional().describe('Most yearly revenue.'),
    job_filters: z
      .looseObject({})
      .optional()
      .describe('Filters of ns_jobs/jobs for their postings.'),
    min_num_jobs_found: z.int().min(1).optional().describe('Postings that must fit job_filters.'),
    limit: z.int().min(1).max(limitMax).describe('Companies at most.'),
    page,
  }),
  output: z.looseObject({ companies: z.array(z.looseObject({})), metadata }),
  price: { cents: 60, used: (output) => (output.companies.length > 0 ? 1 : 0) },
  example: {
    input: { company_technology_slug_or: ['snowflake'], min_employee_count: 50, limit: 1 },
    cents: 60,
  },
  async run({ input, http }) {
    const { data, metadata: about } = await http.post('/v1/companies/search', input)
    return { companies: data, metadata: about }
  },
})
