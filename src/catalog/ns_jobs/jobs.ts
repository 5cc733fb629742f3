import { defineAction, pick, z } from '#core/action.ts'
import { atLeastOne, names } from '../lib/person-fields.ts'
import { companyFilters, countries, metadata, page } from './lib/search-fields.ts'

const limitMax = 10
const days = z.int().min(0).max(3_650).optional()
const day = z.iso.date().optional()

/** The vendor searches within a time or within companies, never everything. */
const narrowing = [
  'posted_at_max_age_days',
  'posted_at_gte',
  'posted_at_lte',
  'discovered_at_max_age_days',
  'company_name_or',
  'company_domain_or',
  'company_linkedin_url_or',
] as const

export const jobs = defineAction('jobs', {
  summary: 'Search job postings of all boards by title, place, age, company and its tech stack.',
  notes:
    'Needs limit (at most 10) and either a date filter or a company filter; a search that finds nothing is free. For companies that hire use ns_jobs/companies, for openings as a sales signal ns_signals/hiring, for what a company runs ns_jobs/technographics.',
  synonyms: [
    'job openings',
    'vacancies',
    'job board search',
    'who is hiring',
    'careers',
    'remote jobs',
    'theirstack',
  ],
  questions: [
    'which data engineer jobs were posted in Germany this week?',
    'what roles is stripe.com hiring for?',
    'remote product designer openings from the last 7 days',
  ],
  input: z
    .strictObject({
      job_title_or: names.describe('Any of these titles.'),
      job_title_not: names.describe('None of these titles.'),
      job_country_code_or: countries.describe('Two-letter codes of the place of work.'),
      job_description_contains_or: names.describe('Words in the description.'),
      posted_at_max_age_days: days.describe('Posted at most so many days ago.'),
      posted_at_gte: day.describe('Posted on this day or later.'),
      posted_at_lte: day.describe('Posted on this day or earlier.'),
      discovered_at_max_age_days: days.describe('Seen at most so many days ago.'),
      remote: z.boolean().optional().describe('Only remote jobs, or only others.'),
      min_salary_usd: z.number().min(0).optional().describe('Least yearly salary.'),
      ...companyFilters,
      limit: z.int().min(1).max(limitMax).describe('Postings at most.'),
      page,
    })
    .refine(atLeastOne(...narrowing), {
      message:
        'Send a date filter (posted_at_max_age_days) or a company filter (company_domain_or)',
    }),
  output: z.looseObject({ jobs: z.array(z.looseObject({})), metadata }),
  price: { cents: 40, used: (output) => (output.jobs.length > 0 ? 1 : 0) },
  example: {
    input: { job_title_or: ['Data Engineer'], posted_at_max_age_days: 7, limit: 2 },
    cents: 40,
  },
  takes: { domain: { place: 8, fills: (domain) => ({ company_domain_or: [domain], limit: 10 }) } },
  async run({ input, http }) {
    const reply = await http.post('/v1/jobs/search', input)
    return { jobs: reply.data, ...pick(reply, 'metadata') }
  },
})
