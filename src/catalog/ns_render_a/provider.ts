import { z } from '#core/action.ts'
import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { readSuccess, unread } from '../lib/unread-page.ts'
import { crawl } from './crawl.ts'
import { extract } from './extract.ts'
import { map } from './map.ts'
import { scrape } from './scrape.ts'
import { search } from './search.ts'

/** The vendor's codes for failures of a page: sites that do not answer or that block every engine. */
const siteFailures = new Set([
  'SCRAPE_ALL_ENGINES_FAILED',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SITE_ERROR',
  'SCRAPE_SSL_ERROR',
])

const creditReply = z.looseObject({
  data: z.looseObject({
    remainingCredits: z.number(),
    planCredits: z.number().nullish(),
    billingPeriodEnd: z.string().nullish(),
  }),
})

export const renderA = defineProvider({
  id: 'ns_render_a',
  title: 'Firecrawl',
  docs: 'https://docs.firecrawl.dev/api-reference/v2-introduction',
  upstream: {
    baseUrl: 'https://api.firecrawl.dev/v2',
    credential: {
      aliases: ['FIRECRAWL_API_KEY'],
      optionalElsewhere: true,
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    // The longest wait for a page's scripts, plus the same time to load the page.
    timeoutMs: 125_000,
    responseBytesMax: 18_000_000,
    async quota(http) {
      const { data } = creditReply.parse(await http.get('/team/credit-usage'))
      const { remainingCredits: remaining, planCredits: limit, billingPeriodEnd: renewsAt } = data
      return { remaining, limit, renewsAt, unit: 'credits' }
    },
    failure: (reply) => {
      const { code, error } = membersOf(reply.body)
      if (siteFailures.has(String(code))) return unread
      // The vendor answers for a site on its blocklist with the status of an invalid key.
      const barred = /website is (no longer|not currently) supported/i.test(String(error))
      return reply.status === 403 && barred ? unread : readSuccess(reply)
    },
  },
  actions: [scrape, crawl, map, search, extract],
})
