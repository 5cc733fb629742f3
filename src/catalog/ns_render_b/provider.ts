import { membersOf } from '#core/input/members.ts'
import { defineProvider } from '#core/provider.ts'
import { readSuccess, unread } from '../lib/unread-page.ts'
import { crawl } from './crawl.ts'
import { crawlStatus } from './crawl_status.ts'
import { extract } from './extract.ts'
import { extractStatus } from './extract_status.ts'
import { map } from './map.ts'
import { scrape } from './scrape.ts'
import { search } from './search.ts'

/** Failures of a page, not of the vendor or the request. They come with any status. */
const siteFailures = new Set(['target_unreachable', 'http_error', 'login_required'])

export const renderB = defineProvider({
  id: 'ns_render_b',
  title: 'fastCRW',
  docs: 'https://us.github.io/crw',
  upstream: {
    baseUrl: 'https://api.fastcrw.com',
    credential: {
      aliases: ['CRW_API_KEY', 'FASTCRW_API_KEY'],
      optionalElsewhere: true,
      attach: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    },
    // The vendor stops reading a page after a minute.
    timeoutMs: 70_000,
    responseBytesMax: 18_000_000,
    failure: (reply) => {
      const { status, headers } = reply
      // The vendor reports an empty account as too many requests. Waiting would not help, so it counts as a demand for
      // payment.
      if (status === 429 && headers['x-fastcrw-credits-available'] !== undefined) return 402
      const { errorCode, error_code: code = errorCode } = membersOf(reply.body)
      if (siteFailures.has(String(code))) return unread
      if (code === 'extraction_error') return 'upstream_error'
      return readSuccess(reply)
    },
  },
  actions: [scrape, search, map, crawl, crawlStatus, extract, extractStatus],
})
