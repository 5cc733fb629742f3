import { defineJob, z } from '#core/action.ts'
import { lookbackDays, tech, variations } from './lib/company-filters.ts'
import { delivery, runDiscovery, timeoutMs } from './lib/discovery-job.ts'

const companiesMax = 25

export const techIntent = defineJob('tech-intent', {
  summary:
    'Find companies that do a certain thing with a technology, each verified in a job posting.',
  notes:
    'Answers with a job_id; poll ns_company/results for free with kind tech_intent. limit is held, and only qualified companies are charged. When the mention alone will do use ns_company/tech-companies; about one company ns_company/deep-research.',
  synonyms: [
    'migrating to',
    'technology intent',
    'verified technographics',
    'switching vendors',
    'adoption signal',
    'openfunnel',
    'moving from one technology to another',
  ],
  questions: [
    'which companies are migrating from Redshift to Snowflake?',
    'who is moving workloads from VMs to Kubernetes?',
    'companies that build an analytics team on dbt',
  ],
  timeoutMs,
  input: z.strictObject({
    tech,
    activity: z.string().trim().min(1).max(500).describe('What they do with it.'),
    variations,
    lookback_days: lookbackDays,
    limit: z
      .int()
      .min(1)
      .max(companiesMax)
      .default(10)
      .describe('Qualified companies at most; held.'),
  }),
  output: delivery,
  price: {
    cents: 20,
    per: ({ limit }) => limit,
    unit: 'qualified company',
    atMost: companiesMax,
    used: ({ delivered }) => delivered,
  },
  example: {
    input: { tech: 'Snowflake', activity: 'migrating off Redshift to Snowflake', limit: 5 },
    cents: 100,
  },
  run: (context) =>
    runDiscovery(context, 'tech_intent', {
      body: context.input,
      companiesMax: context.input.limit,
    }),
})
