import { defineProvider } from '#core/provider.ts'
import { nonprofit as organization } from './nonprofit.ts'
import { nonprofitSearch } from './nonprofit_search.ts'

export const nonprofit = defineProvider({
  id: 'ns_nonprofit',
  title: 'ProPublica Nonprofit Explorer',
  docs: 'https://projects.propublica.org/nonprofits/api',
  upstream: {
    baseUrl: 'https://projects.propublica.org/nonprofits/api/v2',
    pacing: [{ requests: 1, windowMs: 1_000 }],
  },
  actions: [nonprofitSearch, organization],
})
