import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { companySearch } from './company-search.ts'
import { dealInvestors } from './deal-investors.ts'
import { deals } from './deals.ts'
import { investorDeals } from './investor-deals.ts'

export const fundingProvider = defineProvider({
  id: 'ns_funding',
  title: 'Fundable',
  docs: 'https://docs.tryfundable.ai',
  upstream: {
    baseUrl: 'https://www.tryfundable.ai/api/v1',
    credential: {
      aliases: ['FUNDABLE_API_KEY'],
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    failure: ({ status, body }) =>
      status < 300 && membersOf(body).success === false ? 'upstream_error' : undefined,
  },
  actions: [deals, dealInvestors, investorDeals, companySearch],
})
