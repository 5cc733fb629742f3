import { defineJob, z } from '#core/action.ts'
import { hasLikeness, likeness, needsLikeness } from './lib/company-filters.ts'
import { delivery, runDiscovery, timeoutMs } from './lib/discovery-job.ts'

const companiesMax = 2_000

export const lookalikesBulk = defineJob('lookalikes-bulk', {
  summary: 'Find up to 2000 companies like the ones you name or describe, in the background.',
  notes:
    'Answers with a job_id; poll ns_company/results for free with kind lookalikes. limit is held, and only what is delivered is charged. Up to 100 companies are faster by ns_company/lookalikes; for a whole market use ns_company/tam-build.',
  synonyms: [
    'bulk lookalikes',
    'similar companies at scale',
    'account list',
    'thousands of competitors',
    'openfunnel',
  ],
  questions: [
    'get me 1500 companies similar to our best customers',
    'large list of companies like datadog.com',
    'build a big target account list from seed customers',
  ],
  timeoutMs,
  input: z
    .strictObject({
      ...likeness,
      limit: z.int().min(1).max(companiesMax).default(100).describe('Companies at most; held.'),
    })
    .refine(hasLikeness, needsLikeness),
  output: delivery,
  price: {
    cents: 1,
    per: ({ limit }) => limit,
    unit: 'company delivered',
    atMost: companiesMax,
    used: ({ delivered }) => delivered,
  },
  example: { input: { query: 'Cloud monitoring tools', limit: 200 }, cents: 200 },
  run: (context) =>
    runDiscovery(context, 'lookalikes', { body: context.input, companiesMax: context.input.limit }),
})
