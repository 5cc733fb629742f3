import { defineAction, pick, z } from '#core/action.ts'
import { mainContent, pageObject, readPage, soldPage, waitMs, webAddress } from '../lib/web-page.ts'

/** The vendor's default timeout, and how many times a wait must fit into it. */
const timeoutMsDefault = 60_000
const waitsPerTimeout = 2

export const scrape = defineAction('scrape', {
  summary: 'Read one web page with its scripts run, as Markdown or HTML.',
  notes:
    'Use it for pages that need JavaScript. Send waitFor when content appears late. Prefer scraping/scrape, which picks the provider; for pages behind walls go on with ns_resi. To find the pages of a site use ns_render_a/map, to read many ns_render_a/crawl.',
  synonyms: ['firecrawl', 'read page', 'url to markdown', 'fetch url', 'render javascript'],
  questions: [
    'why is the page empty when I fetch it, and how do I get its text?',
    'turn this single-page app into Markdown',
    'what does this dashboard show after it has loaded?',
  ],
  timeoutMs: 130_000,
  errors: ['bad_url'],
  input: z.strictObject({
    url: webAddress.describe('The page; a bare host name will do.'),
    formats: z
      .array(z.enum(['markdown', 'html', 'rawHtml', 'links', 'screenshot']))
      .min(1)
      .default(['markdown'])
      .describe('What to return of the page.'),
    onlyMainContent: mainContent,
    waitFor: waitMs,
  }),
  output: pageObject,
  price: { cents: 1 },
  page: soldPage,
  example: { input: { url: 'https://example.com/', formats: ['markdown', 'links'] }, cents: 1 },
  async run({ input, http }) {
    const { waitFor = 0 } = input
    const reply = await http.post('/scrape', {
      ...pick(input, 'url', 'onlyMainContent', 'waitFor'),
      formats: input.formats.map((type) => ({ type })),
      timeout: Math.max(timeoutMsDefault, waitFor * waitsPerTimeout),
    })
    return readPage(reply)
  },
})
