import { defineAction, z } from '#core/action.ts'
import { getRawPage, rawPage, renderingFields } from './lib/rendering.ts'

export const scrape = defineAction('scrape', {
  summary: 'Get the HTML of a page as a browser renders it, through datacenter proxies.',
  notes:
    'A rung between plain scraping and the residential pool: use it when scraping/scrape is turned away, and ns_resi/scrape_residential when this is. Renders are serialized: send one page per call, and after a 409 retry serially. For Markdown use ns_resi/markdown.',
  synonyms: ['scrapingant', 'proxy scrape', 'anti-bot', 'html of page', 'headless browser'],
  questions: [
    'this site blocks my server, how do I still get its HTML?',
    'load the page through a proxy in France',
    'run my script in the page and give me the result',
  ],
  timeoutMs: 80_000,
  errors: ['bad_url', 'upstream_busy', 'all_blocked'],
  input: z.strictObject(renderingFields),
  output: rawPage,
  price: { cents: 1 },
  page: ({ raw, status_code }, { url }) => ({ body: raw, status: status_code, url }),
  example: { input: { url: 'https://example.com/', proxy_country: 'us' }, cents: 1 },
  run: ({ input, http }) => getRawPage(http, input, 'datacenter'),
})
