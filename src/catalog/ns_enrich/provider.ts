import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { companyFunders } from './company-funders.ts'
import { personEnrich } from './person-enrich.ts'
import { personInteractions } from './person-interactions.ts'
import { result } from './result.ts'

export const enrichment = defineProvider({
  id: 'ns_enrich',
  title: 'Nyne',
  docs: 'https://api.nyne.ai/documentation',
  upstream: {
    baseUrl: 'https://api.nyne.ai',
    credential: {
      aliases: ['NYNE_API_KEY'],
      form: 'key:secret',
      attach: (pair) => {
        const [key = '', secret = ''] = pair.split(':')
        return { headers: { 'x-api-key': key, 'x-api-secret': secret } }
      },
    },
    pacing: [
      { requests: 60, windowMs: 60_000 },
      { requests: 1_000, windowMs: 3_600_000 },
    ],
    failure: ({ status, body }) =>
      status < 300 && membersOf(body).success === false ? 400 : undefined,
  },
  actions: [personEnrich, companyFunders, personInteractions, result],
})
