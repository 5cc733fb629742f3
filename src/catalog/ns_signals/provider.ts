import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { acquisitions } from './acquisitions.ts'
import { companies } from './companies.ts'
import { funding } from './funding.ts'
import { hiring } from './hiring.ts'
import { investors } from './investors.ts'
import { jobChanges } from './job-changes.ts'
import { people } from './people.ts'

export const signals = defineProvider({
  id: 'ns_signals',
  title: 'Signalbase',
  docs: 'https://www.trysignalbase.com/docs',
  upstream: {
    baseUrl: 'https://www.trysignalbase.com/api/v2',
    credential: {
      aliases: ['SIGNALBASE_API_KEY'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    failure: ({ status, body }) =>
      status < 300 && membersOf(body).success === false ? 400 : undefined,
  },
  actions: [funding, acquisitions, jobChanges, hiring, investors, companies, people],
})
