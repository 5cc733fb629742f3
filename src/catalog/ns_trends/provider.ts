import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { fetch } from './fetch.ts'

export const trends = defineProvider({
  id: 'ns_trends',
  title: 'SerpApi Google Trends',
  docs: 'https://serpapi.com/google-trends-api',
  upstream: {
    baseUrl: 'https://serpapi.com',
    credential: {
      aliases: ['SERPAPI_API_KEY'],
      attach: (key) => ({ query: { api_key: key } }),
    },
    timeoutMs: 60_000,
    // A failure is a sentence, sometimes with status 200.
    failure: ({ status, body }) => {
      const error = membersOf(body).error
      if (typeof error !== 'string') return undefined
      if (/run out of searches|plan/i.test(error)) return 402
      if (/api[ _]key/i.test(error)) return 401
      return status === 200
        ? {
            code: 'not_found',
            message:
              'There is too little interest in this keyword to be shown. Nothing was charged.',
          }
        : undefined
    },
  },
  actions: [fetch],
})
