import { defineProvider } from '#core/provider.ts'
import { readSuccess, unread } from '../lib/unread-page.ts'
import { crawl } from './crawl.ts'
import { extract } from './extract.ts'
import { map } from './map.ts'
import { scrape } from './scrape.ts'
import { search } from './search.ts'

/** Of a page, not of the vendor: its own codes for sites that do not answer or turn every engine away. */
const siteFailures = new Set([
  'SCRAPE_ALL_ENGINES_FAILED',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SITE_ERROR',
  'SCRAPE_SSL_ERROR',
])

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
    // The longest wait for a page's scripts, and as long again to load it.
    timeoutMs: 125_000,
    responseBytesMax: 18_000_000,
    failure: (reply) => {
      const { code, error } = (reply.body ?? {}) as { code?: unknown; error?: unknown }
      if (siteFailures.has(String(code))) return unread
      // A site that the vendor has barred is refused as a bad key is.
      const barred = /website is (no longer|not currently) supported/i.test(String(error))
      return reply.status === 403 && barred ? unread : readSuccess(reply)
    },
  },
  actions: [scrape, crawl, map, search, extract],
})
