import { defineAction, z } from '#core/action.ts'
import { getRawPage, rawPage, renderingFields } from './lib/rendering.ts'

export const scrapeResidential = defineAction('scrape_residential', {
  summary: 'Get the HTML of a page as a browser renders it, through residential proxies.',
  notes:
    'For pages that turn datacenters away; dearer, so try ns_resi/scrape first. Renders are serialized: send one page per call, and after a 409 retry serially. The last resort after it is a browser session.',
  synonyms: ['residential proxy', 'unblock', 'scrapingant', 'anti-bot', 'geo scrape', 'cloudflare'],
  questions: [
    'even proxies are blocked here, what else is there?',
    'make it look like a visitor from home',
    'read a page behind Cloudflare',
  ],
  timeoutMs: 80_000,
  errors: ['bad_url', 'upstream_busy', 'all_blocked'],
  input: z.strictObject(renderingFields),
  output: rawPage,
  price: { cents: 4 },
  page: ({ raw, status_code }, { url }) => ({ body: raw, status: status_code, url }),
  example: { input: { url: 'https://example.com/', proxy_country: 'us' }, cents: 4 },
  run: ({ input, http }) => getRawPage(http, input, 'residential'),
})
