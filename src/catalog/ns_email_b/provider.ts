import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { domainScan } from './domain-scan.ts'
import { emailSearch } from './email-search.ts'
import { emailVerification } from './email-verification.ts'
import { isUnfunded } from './lib/launched.ts'
import { result } from './result.ts'

export const emailB = defineProvider({
  id: 'ns_email_b',
  title: 'Icypeas',
  docs: 'https://api-doc.icypeas.com',
  upstream: {
    baseUrl: 'https://app.icypeas.com/api',
    credential: {
      aliases: ['ICYPEAS_API_KEY'],
      attach: (key) => ({ headers: { authorization: key } }),
    },
    // The vendor's cap on reads, which are most of the requests.
    pacing: [{ requests: 30, windowMs: 60_000 }],
    // The vendor sends refusals with status 200.
    failure: ({ status, body }) =>
      status < 300 && membersOf(body).success === false ? 400 : undefined,
    alertsOperator: ({ body }) => isUnfunded(membersOf(body).items),
  },
  actions: [emailSearch, emailVerification, domainScan, result],
})
