import { defineProvider } from '#core/provider.ts'
import { cases } from './cases.ts'
import { dockets } from './dockets.ts'

const minute = { requests: 5, windowMs: 60_000 }
const hour = { requests: 50, windowMs: 3_600_000 }
const dayMs = 86_400_000

export const courts = defineProvider({
  id: 'ns_courts',
  title: 'CourtListener',
  docs: 'https://www.courtlistener.com/help/api/rest/search/',
  upstream: {
    baseUrl: 'https://www.courtlistener.com/api/rest/v4',
    credential: {
      aliases: ['COURTLISTENER_API_KEY'],
      optional: true,
      attach: (key) => ({ headers: { authorization: `Token ${key}` } }),
    },
    pacing: [minute, hour, { requests: 100, windowMs: dayMs }],
    pacingWithKey: [minute, hour, { requests: 125, windowMs: dayMs }],
  },
  actions: [dockets, cases],
})
