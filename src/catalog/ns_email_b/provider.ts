import { defineProvider } from '#core/provider.ts'
import { domainScan } from './domain-scan.ts'
import { emailSearch } from './email-search.ts'
import { emailVerification } from './email-verification.ts'
import { result } from './result.ts'

const unfunded = {
  code: 'upstream_error',
  message:
    'The provider did not search, because of this gateway’s account there. Nothing was charged for this poll; the operator has been told. Start the search again later.',
  operatorAlert: true,
} as const

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
    failure({ status, body }) {
      const { success, items } = (body ?? {}) as { success?: unknown; items?: unknown }
      // The search did not run because the operator's account at the vendor is empty.
      const [only, ...others] = Array.isArray(items) ? items : []
      if (others.length === 0 && only?.status === 'INSUFFICIENT_FUNDS') return unfunded
      // The vendor sends refusals with status 200.
      return status < 300 && success === false ? 400 : undefined
    },
  },
  actions: [emailSearch, emailVerification, domainScan, result],
})
