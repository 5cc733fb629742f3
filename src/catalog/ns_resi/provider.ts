import { z } from '#core/action.ts'
import { defineProvider } from '#core/provider.ts'
import { unread } from '../lib/unread-page.ts'
import { extract } from './extract.ts'
import { markdown } from './markdown.ts'
import { scrape } from './scrape.ts'
import { scrapeResidential } from './scrape_residential.ts'

const usagePath = '/usage'
const usageReply = z.looseObject({
  plan_total_credits: z.number(),
  remained_credits: z.number(),
  end_date: z.string(),
})

export const resi = defineProvider({
  id: 'ns_resi',
  title: 'ScrapingAnt',
  docs: 'https://docs.scrapingant.com/request-response-format',
  upstream: {
    baseUrl: 'https://api.scrapingant.com/v2',
    credential: {
      aliases: ['SCRAPINGANT_API_KEY'],
      // The account's endpoint alone wants the key in its address.
      attach: (key, { path }) =>
        path === usagePath ? { query: { 'x-api-key': key } } : { headers: { 'x-api-key': key } },
    },
    // The longest time for a page, plus the vendor's own overhead.
    timeoutMs: 75_000,
    responseBytesMax: 18_000_000,
    async quota(http) {
      const usage = usageReply.parse(await http.get(usagePath))
      const { remained_credits: remaining, plan_total_credits: limit, end_date: renewsAt } = usage
      return { remaining, limit, renewsAt, unit: 'credits' }
    },
    failure: ({ status }) => {
      if (status === 404) return unread
      if (status === 409) {
        return {
          code: 'upstream_busy',
          message:
            'The provider is busy with other pages. Nothing was charged; send one page per call, and retry serially.',
        }
      }
      if (status === 423) {
        return {
          code: 'all_blocked',
          message:
            'The page has turned the provider away. Nothing was charged; try another proxy_country, or ns_resi/scrape_residential.',
        }
      }
      return undefined
    },
  },
  actions: [scrape, scrapeResidential, markdown, extract],
})
