import { defineAction, z } from '#core/action.ts'
import { webAddress } from '../lib/web-page.ts'

export const scrape = defineAction('scrape', {
  summary: 'Get the HTML of a page that turns other readers away, as a browser renders it.',
  notes:
    'The provider finds out by itself what the site asks of its readers. Dearer than ns_resi/scrape and cheaper than ns_resi/scrape_residential: try it between them. What the site answered is in status_code; a page that is gone is an answer too. To have all that done for you use onescrape-deep.',
  synonyms: ['unblocker', 'web unlocker', 'zyte', 'anti-bot', 'bypass wall', 'cloudflare'],
  questions: [
    'read a page that shows me a captcha',
    'get past the Cloudflare wall of this site',
    'this site blocks my scraper, what now?',
  ],
  timeoutMs: 80_000,
  errors: ['bad_url'],
  input: z.strictObject({ url: webAddress.describe('The page; a bare host name will do.') }),
  output: z.looseObject({
    raw: z.string().describe('The HTML of the page.'),
    status_code: z.int().nullable().describe('What the page’s own server answered.'),
    final_url: z.string().describe('Where the page’s redirects ended.'),
  }),
  price: { cents: 2 },
  page: ({ raw, status_code, final_url }) => ({ body: raw, status: status_code, url: final_url }),
  example: { input: { url: 'https://example.com/' }, cents: 2 },
  async run({ input: { url }, http }) {
    const page = await http.post('/extract', { url, browserHtml: true })
    return {
      raw: page.browserHtml,
      status_code: page.statusCode ?? null,
      final_url: page.url ?? url,
    }
  },
})
