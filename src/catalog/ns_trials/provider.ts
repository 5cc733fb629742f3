import { defineProvider } from '#core/provider.ts'
import { get } from './get.ts'
import { search } from './search.ts'

export const trials = defineProvider({
  id: 'ns_trials',
  title: 'ClinicalTrials.gov',
  docs: 'https://clinicaltrials.gov/data-api/api',
  upstream: {
    baseUrl: 'https://clinicaltrials.gov/api/v2',
    wallet: 'elsewhere',
    pacing: [{ requests: 50, windowMs: 60_000 }],
  },
  actions: [search, get],
})
