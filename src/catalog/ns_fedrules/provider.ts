import { defineProvider } from '#core/provider.ts'
import { document } from './document.ts'
import { search } from './search.ts'

export const fedrules = defineProvider({
  id: 'ns_fedrules',
  title: 'Federal Register',
  docs: 'https://www.federalregister.gov/developers/documentation/api/v1',
  upstream: {
    baseUrl: 'https://www.federalregister.gov/api/v1',
    pacing: [{ requests: 5, windowMs: 1_000 }],
  },
  actions: [search, document],
})
