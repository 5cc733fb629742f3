import { defineJob, z } from '#core/action.ts'
import { delivery, runDiscovery, timeoutMs } from './lib/discovery-job.ts'

const companiesMax = 20_000

export const tamBuild = defineJob('tam-build', {
  summary: 'List all companies of a market that you describe in plain English, in the background.',
  notes:
    'Answers with a job_id; poll ns_company/results for free with kind tam, page by cursor. max_companies is held, the search is stopped when so many are found, and only what is delivered is charged; pause and cancel with ns_company/job-control. For companies like given ones use ns_company/lookalikes.',
  synonyms: [
    'total addressable market',
    'market map',
    'icp list',
    'all companies in an industry',
    'market sizing',
    'openfunnel',
    'every company of a kind',
    'complete list of companies',
  ],
  questions: [
    'build my TAM for hospitals in the US',
    'list every neobank worldwide',
    'how big is the market for cloud observability, company by company?',
  ],
  timeoutMs,
  input: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('The market, in plain English.'),
    max_companies: z
      .int()
      .min(1)
      .max(companiesMax)
      .default(500)
      .describe('Companies at most; held.'),
  }),
  output: delivery,
  price: {
    cents: 1,
    per: ({ max_companies }) => max_companies,
    unit: 'company delivered',
    atMost: companiesMax,
    used: ({ delivered }) => delivered,
  },
  example: {
    input: { query: 'Neobanks and digital banks worldwide', max_companies: 300 },
    cents: 300,
  },
  run: (context) => {
    const { query, max_companies } = context.input
    return runDiscovery(context, 'tam', { body: { query }, companiesMax: max_companies })
  },
})
