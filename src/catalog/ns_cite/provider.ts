import { z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { deepSearch } from './deep-search.ts'
import { search } from './search.ts'

const balanceReply = z.looseObject({ balance: z.number() })

export const cite = defineProvider({
  id: 'ns_cite',
  title: 'Linkup',
  docs: 'https://docs.linkup.so/pages/documentation/endpoints/search',
  upstream: {
    baseUrl: 'https://api.linkup.so/v1',
    credential: {
      aliases: ['LINKUP_API_KEY'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    // A deep search makes several searches, one after the other.
    timeoutMs: 115_000,
    pacing: [{ requests: 10, windowMs: 1_000 }],
    async quota(http) {
      const { balance } = balanceReply.parse(await http.get('/credits/balance'))
      return { remaining: balance, unit: 'credits' }
    },
    failure: ({ status, body }) => {
      const error = membersOf(membersOf(body).error)
      const code = String(error?.code)
      // An empty account is reported as too many requests. Waiting would not help, so it is read as a demand for
      // payment.
      if (status === 429 && /CREDIT|FUNDS/.test(code)) return 402
      if (status === 400 && /NO_RESULT/.test(code)) {
        return {
          code: 'not_found',
          message: 'The search has found nothing. Nothing was charged; ask for less, or otherwise.',
        }
      }
      return undefined
    },
  },
  actions: [search, deepSearch],
})
