import { defineProvider } from '#core/provider.ts'
import { news } from './news.ts'
import { search } from './search.ts'

export const indep = defineProvider({
  id: 'ns_indep',
  title: 'Brave Search',
  docs: 'https://api-dashboard.search.brave.com/app/documentation/web-search/get-started',
  upstream: {
    baseUrl: 'https://api.search.brave.com/res/v1',
    credential: {
      aliases: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
      attach: (key) => ({ headers: { 'x-subscription-token': key } }),
    },
    pacing: [{ requests: 50, windowMs: 1_000 }],
  },
  actions: [search, news],
})
