import { defineAction } from '#core/action.ts'
import { readLink, siteInput, siteMap } from '../lib/web-page.ts'

const timeoutMs = 60_000

export const map = defineAction('map', {
  summary: 'List the addresses of a site’s pages without reading them.',
  notes:
    'Use it to choose pages before reading them. Addresses come from the sitemap and from links; titles where the site gives them. To read the pages use ns_render_a/crawl, or scraping/scrape one by one.',
  synonyms: [
    'sitemap',
    'list urls',
    'site map',
    'discover pages',
    'firecrawl',
    'all links',
    'every link',
  ],
  questions: [
    'which pages does this site have, with titles?',
    'where on their website are the pricing pages?',
    'list all product addresses of the shop',
  ],
  timeoutMs: 75_000,
  errors: ['bad_url'],
  input: siteInput,
  output: siteMap,
  price: { cents: 1 },
  example: { input: { url: 'https://example.com/' }, cents: 1 },
  takes: { URL: { place: 2, fills: (url) => ({ url }) } },
  async run({ input, http }) {
    const { links } = await http.post('/map', { url: input.url, timeout: timeoutMs })
    // Servers of the vendor's first version return bare addresses.
    return { links: links?.map(readLink) }
  },
})
