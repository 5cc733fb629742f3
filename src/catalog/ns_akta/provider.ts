import { defineProvider } from '#core/provider.ts'
import { notGranted } from '../lib/not-granted.ts'
import { companyEnrich } from './company-enrich.ts'
import { employeeReviews } from './employee-reviews.ts'
import { headcountTrends } from './headcount-trends.ts'
import { jobs } from './jobs.ts'
import { news } from './news.ts'
import { posts } from './posts.ts'
import { productReviews } from './product-reviews.ts'
import { seoPpc } from './seo-ppc.ts'
import { websiteTraffic } from './website-traffic.ts'

export const akta = defineProvider({
  id: 'ns_akta',
  title: 'akta.pro',
  docs: 'https://docs.akta.pro',
  upstream: {
    baseUrl: 'https://api.akta.pro/api/v1',
    credential: {
      aliases: ['AKTA_PRO_API_KEY', 'AKTA_API_KEY'],
      attach: (key) => ({ headers: { 'x-api-key': key } }),
    },
    // Sources state 25 to 100; this is the lowest.
    pacing: [{ requests: 25, windowMs: 60_000 }],
    timeoutMs: 55_000,
    // An invalid key is 401; this status means that the plan lacks the endpoint.
    failure: ({ status }) => (status === 403 ? notGranted : undefined),
  },
  actions: [
    companyEnrich,
    news,
    headcountTrends,
    websiteTraffic,
    jobs,
    posts,
    employeeReviews,
    productReviews,
    seoPpc,
  ],
})
