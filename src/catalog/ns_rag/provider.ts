import { defineProvider } from '#core/provider.ts'
import { extract } from './extract.ts'
import { search } from './search.ts'

/** The vendor's own statuses for an exhausted plan and an exhausted pay-as-you-go limit. */
const exhausted = new Set([432, 433])

export const rag = defineProvider({
  id: 'ns_rag',
  title: 'Tavily',
  docs: 'https://docs.tavily.com/documentation/api-reference/endpoint/search',
  upstream: {
    baseUrl: 'https://api.tavily.com',
    credential: {
      aliases: ['TAVILY_API_KEY'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    timeoutMs: 45_000,
    pacing: [{ requests: 100, windowMs: 60_000 }],
    failure: ({ status }) => (exhausted.has(status) ? 402 : undefined),
  },
  actions: [search, extract],
})
