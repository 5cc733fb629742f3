import { defineProvider } from '#core/provider.ts'
import { get } from './get.ts'
import { search } from './search.ts'

export const recalls = defineProvider({
  id: 'ns_recalls',
  title: 'CPSC, FDA and NHTSA',
  docs: 'https://www.recalls.gov/',
  upstream: {
    baseUrl: 'https://{host}',
    wallet: 'elsewhere',
    hosts: ['www.saferproducts.gov', 'api.fda.gov', 'api.nhtsa.gov'],
    pacing: [
      { requests: 5, windowMs: 1_000, host: 'www.saferproducts.gov' },
      { requests: 240, windowMs: 60_000, host: 'api.fda.gov' },
      { requests: 1_000, windowMs: 86_400_000, host: 'api.fda.gov' },
      { requests: 5, windowMs: 1_000, host: 'api.nhtsa.gov' },
    ],
  },
  actions: [search, get],
})
