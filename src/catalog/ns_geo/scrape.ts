import { defineAction, pick, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { webAddress } from '../lib/web-page.ts'

/** The price of a page in the vendor's smallest plan, in cents: plain, and with scripts. */
const listCents = { plain: 0.115, rendered: 0.135 } as const
const centsMax = 25

const costCents = ({ render }: { render?: string | undefined }) =>
  render === 'html' ? listCents.rendered : listCents.plain

export const scrape = defineAction('scrape', {
  summary: 'Read a page as it appears in a certain country, state or city.',
  notes:
    'Charged at what it costs upstream, far below the cap as a rule. geo_location is a name, such as Germany or Los Angeles,California,United States. Send render html when the page needs scripts. Where the country alone matters, ns_resi/scrape with proxy_country is another way; where the place does not matter scraping/scrape.',
  synonyms: [
    'geo-targeted',
    'local version',
    'localized page',
    'oxylabs',
    'view from country',
    'page as seen from',
    'from another country',
    'visitor from abroad',
    'prices by country',
  ],
  questions: [
    'what price does this shop show to visitors from Germany?',
    'what does the page look like from Texas?',
    'is this video blocked for people in Canada?',
  ],
  pay: ['mpp'],
  timeoutMs: 185_000,
  errors: ['bad_url'],
  input: z.strictObject({
    url: webAddress.describe('The page; a bare host name will do.'),
    geo_location: z
      .string()
      .trim()
      .min(2)
      .max(200)
      .optional()
      .describe('Country, state or city, in English: Germany; California,United States.'),
    render: z.enum(['html']).optional().describe('html runs the page’s scripts.'),
  }),
  output: z.looseObject({
    content: z.string().describe('The HTML of the page.'),
    status_code: z.int().describe('What the page’s own server answered.'),
    url: z.string(),
    job_id: z.string().nullish(),
    price_usd: z.number().optional().describe('What the seller took, where the page was bought.'),
    provider: z.string().optional().describe('Who has served, when it was not the vendor.'),
  }),
  price: {
    upToCents: centsMax,
    settle: ({ input, output }) =>
      output.price_usd === undefined ? costCents(input) : output.price_usd * 100,
  },
  page: ({ content, status_code, url }) => ({ body: content, status: status_code, url }),
  example: { input: { url: 'https://example.com/', geo_location: 'Germany' }, cents: 25 },
  async run({ input, http }) {
    const request = { source: 'universal', ...pick(input, 'url', 'geo_location', 'render') }
    const { body, paid } = await http.send({ method: 'POST', path: '/v1/queries', body: request })
    const page = body?.results?.[0]
    if (typeof page?.content !== 'string') throw fail('upstream_error')
    return {
      ...pick(page, 'content', 'status_code', 'url'),
      job_id: page.job_id,
      ...(paid === undefined ? {} : { price_usd: paid.usd }),
    }
  },
})
