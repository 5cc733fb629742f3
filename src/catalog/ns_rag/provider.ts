import { z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { extract } from './extract.ts'
import { search } from './search.ts'

/** The vendor's own statuses for an exhausted plan and an exhausted pay-as-you-go limit. */
const exhausted = new Set([432, 433])

const count = z.number().nullish()
const usageReply = z.looseObject({
  key: z.looseObject({ usage: z.number(), limit: count }),
  account: z.looseObject({
    plan_usage: z.number(),
    plan_limit: count,
    paygo_usage: count,
    paygo_limit: count,
  }),
})

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
    // The plan, and what may be used beyond it, within the limit of the key.
    async quota(http) {
      const { key, account } = usageReply.parse(await http.get('/usage'))
      const { plan_limit, plan_usage, paygo_limit, paygo_usage } = account
      if (typeof plan_limit !== 'number') return { remaining: null, unit: 'credits' }
      const limit = plan_limit + (paygo_limit ?? 0)
      const left = limit - plan_usage - (paygo_usage ?? 0)
      const ofKey = typeof key.limit === 'number' ? key.limit - key.usage : left
      return { remaining: Math.max(0, Math.min(left, ofKey)), limit, unit: 'credits' }
    },
    failure: ({ status }) => (exhausted.has(status) ? 402 : undefined),
  },
  actions: [search, extract],
})
