import { defineAction, z } from '#core/action.ts'
import { requireUnfailed } from '../lib/failed-work.ts'
import { issue } from '../lib/issued-id.ts'
import { webAddress } from '../lib/web-page.ts'
import { jobId } from './lib/job-id.ts'

/** The price covers this many pages. */
const pagesMax = 100

export const crawl = defineAction('crawl', {
  summary: 'Launch a crawl that reads up to 100 pages of a site in the background.',
  notes:
    'Answers with an id at once and is billed then. Poll ns_render_b/crawl_status with the id until its status is completed; launching it again to look is a new crawl. Stays on the site, and heeds its robots.txt. For a few pages in one call use ns_render_a/crawl.',
  synonyms: ['crawl site', 'website to markdown', 'spider', 'fastcrw', 'bulk scrape', 'docs'],
  questions: [
    'copy a hundred pages of this site while I do something else',
    'start reading the whole wiki in the background',
    'collect the knowledge base overnight',
  ],
  errors: ['bad_url'],
  input: z.strictObject({
    url: webAddress.describe('Where to begin; a bare host name will do.'),
    maxPages: z.int().min(1).max(pagesMax).default(pagesMax).describe('Pages to read at most.'),
    maxDepth: z.int().min(0).max(10).default(2).describe('Links to follow from the first page.'),
  }),
  output: z.looseObject({ id: z.string().describe('For ns_render_b/crawl_status.') }),
  price: { cents: 10 },
  example: { input: { url: 'https://docs.example.com/', maxPages: 5 }, cents: 10 },
  issues: ({ id }) => issue('crawl', jobId, id),
  async run({ input, http }) {
    const { id, status } = await http.post('/v1/crawl', input)
    requireUnfailed(status)
    return { id }
  },
})
