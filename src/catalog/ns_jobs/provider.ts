import { defineProvider } from '#core/provider.ts'
import { buyingIntents } from './buying-intents.ts'
import { companies } from './companies.ts'
import { jobs } from './jobs.ts'
import { techCatalog } from './tech-catalog.ts'
import { technographics } from './technographics.ts'

export const jobsProvider = defineProvider({
  id: 'ns_jobs',
  title: 'TheirStack',
  docs: 'https://theirstack.com/en/docs/api-reference',
  upstream: {
    baseUrl: 'https://api.theirstack.com',
    credential: {
      aliases: ['THEIRSTACK_API_KEY', 'THEIRSTACK_API_TOKEN'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    pacing: [{ requests: 4, windowMs: 1_000 }],
  },
  actions: [jobs, companies, technographics, buyingIntents, techCatalog],
})
