import { defineProvider } from '#core/provider.ts'
import { run } from './run.ts'
import { search } from './search.ts'

export const market = defineProvider({
  id: 'ns_market',
  title: 'Auto.exchange',
  docs: 'https://auto.exchange',
  upstream: {
    baseUrl: 'https://api.auto.exchange',
    credential: {
      aliases: ['AUTO_EXCHANGE_API_KEY'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    // The marketplace accepts an API key or payments.
    wallet: { rail: 'mpp', baseUrl: 'https://api.auto.exchange' },
    timeoutMs: 170_000,
  },
  actions: [search, run],
})
