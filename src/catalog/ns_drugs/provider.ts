import { defineProvider } from '#core/provider.ts'
import { get } from './get.ts'
import { search } from './search.ts'

export const drugs = defineProvider({
  id: 'ns_drugs',
  title: 'openFDA',
  docs: 'https://open.fda.gov/apis/drug/ndc/',
  upstream: {
    baseUrl: 'https://api.fda.gov',
    credential: {
      aliases: ['OPENFDA_API_KEY'],
      optional: true,
      attach: (key) => ({ query: { api_key: key } }),
    },
    wallet: 'elsewhere',
    pacing: [
      { requests: 240, windowMs: 60_000 },
      { requests: 1_000, windowMs: 86_400_000 },
    ],
    pacingWithKey: [{ requests: 240, windowMs: 60_000 }],
  },
  actions: [search, get],
})
