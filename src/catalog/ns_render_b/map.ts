import { defineAction } from '#core/action.ts'
import { readLink, siteInput, siteMap } from '../lib/web-page.ts'

const timeoutSeconds = 60

export const map = defineAction('map', {
  summary: 'List the addresses of a site’s pages from its sitemap and links.',
  notes:
    'Use it to choose pages before reading them. Where the sitemap is missing or thin, links are followed. For titles too use ns_render_a/map; to read all pages ns_render_b/crawl.',
  synonyms: [
    'sitemap',
    'list urls',
    'discover pages',
    'fastcrw',
    'site map',
    'all links',
    'every link',
  ],
  questions: [
    'which addresses are in the sitemap?',
    'how many pages does this website have?',
    'where are the docs of this framework?',
  ],
  timeoutMs: 75_000,
  errors: ['bad_url'],
  input: siteInput,
  output: siteMap,
  price: { cents: 1 },
  example: { input: { url: 'https://docs.example.com/' }, cents: 1 },
  async run({ input, http }) {
    const reply = await http.post('/v1/map', { url: input.url, timeout: timeoutSeconds })
    // Older servers omit the `data` level.
    return { links: (reply.data ?? reply).links?.map(readLink) }
  },
})
