import { z } from '#core/action.ts'
import { names } from '../../lib/person-fields.ts'

const countries = z
  .array(z.string().regex(/^[A-Z]{2}$/, 'must be two-letter codes such as US'))
  .min(1)
  .max(50)
  .optional()

/** Filters by company, shared by job and company search. */
export const companyFilters = {
  company_name_or: names.describe('Exact company names.'),
  company_domain_or: names.describe('Company domains.'),
  company_linkedin_url_or: names.describe('LinkedIn addresses of companies.'),
  company_country_code_or: countries.describe('Two-letter codes of the headquarters.'),
  company_technology_slug_or: names.describe('Any of these technologies, by slug; case counts.'),
  company_technology_slug_and: names.describe('All of these technologies, by slug.'),
  company_technology_slug_not: names.describe('None of these technologies, by slug.'),
  industry_or: names.describe('Industries.'),
  industry_not: names.describe('Not these industries.'),
  min_employee_count: z.int().min(0).optional().describe('Fewest employees.'),
  max_employee_count: z.int().min(0).optional().describe('Most employees.'),
} as const

export { countries }

export const page = z.int().min(0).max(1_000).optional().describe('Page of the results, from 0.')

/** Metadata of all results. */
export const metadata = z.looseObject({ total_results: z.number().nullish() }).nullish()
