import { defineAction, type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { pageObject, webAddress } from '../lib/web-page.ts'
import { awaitJob, isRunning, launchJob } from './lib/job.ts'

/** The vendor's own default is ten thousand pages. */
const limitDefault = 10
const limitMax = 100
const timeoutMs = 100_000
/** The vendor delivers long crawls in parts of 10 MB. */
const partsMax = 3

export const crawl = defineAction('crawl', {
  summary: 'Read the pages of a site as Markdown, following its links from one page.',
  notes:
    'The answer comes when the crawl is done, within two minutes, with the pages in data; there is nothing to poll. A crawl that takes longer is stopped and answered with what was read, as status cancelled: send a lower limit. Always set limit, 10 unless set. For large or background crawls use ns_render_b/crawl; to list the addresses only use ns_render_a/map.',
  synonyms: ['crawl site', 'website to markdown', 'follow links', 'firecrawl', 'spider', 'docs'],
  questions: [
    'read the whole documentation of this library now',
    'get every blog post of this small site in one go',
    'turn our help center into text files',
  ],
  timeoutMs: 120_000,
  errors: ['bad_url'],
  input: z.strictObject({
    url: webAddress.describe('Where to begin; a bare host name will do.'),
    limit: z.int().min(1).max(limitMax).default(limitDefault).describe('Pages to read at most.'),
    maxDepth: z.int().min(0).max(10).optional().describe('Links to follow from the first page.'),
  }),
  output: z.looseObject({
    id: z.string().describe('The vendor’s id of the crawl, for reference.'),
    status: z.enum(['completed', 'cancelled']),
    total: z.int().nullish().describe('Pages attempted.'),
    completed: z.int().nullish().describe('Pages read.'),
    data: z.array(pageObject),
  }),
  price: { cents: 1 },
  example: { input: { url: 'https://example.com/', limit: 2, maxDepth: 1 }, cents: 1 },
  async run(context) {
    const { input, http, clock } = context
    const untilMs = clock.now() + timeoutMs
    const { id } = await launchJob(http, '/crawl', {
      url: input.url,
      limit: input.limit,
      maxDiscoveryDepth: input.maxDepth,
    })
    const job = await awaitJob(context, path`/crawl/${id}`, untilMs)
    const { success: _success, next, ...state } = job
    const stopped = isRunning(job)
    // The caller would not receive the pages that the vendor fetches from now on.
    if (stopped) await http.send({ method: 'DELETE', path: path`/crawl/${id}` }).catch(() => {})
    const data = [...(state.data ?? []), ...(stopped ? [] : await readOn(context, id, next))]
    if (data.length === 0 || !(stopped || state.status === 'completed')) {
      throw fail('upstream_error', {
        message:
          'The crawl has read no page. Nothing was charged; check the address, or lower the limit.',
      })
    }
    return { ...state, id, status: stopped ? 'cancelled' : 'completed', data }
  },
})

/** Fetches the parts of a crawl after the first. `next` is the vendor's address of the next part. */
async function readOn({ http }: RunContext<unknown>, id: string, next: unknown) {
  const pages: unknown[] = []
  for (let part = 1; part < partsMax && typeof next === 'string'; part += 1) {
    const query = Object.fromEntries(URL.parse(next)?.searchParams ?? [])
    const rest = await http.get(path`/crawl/${id}`, { query })
    pages.push(...(rest.data ?? []))
    next = rest.next
  }
  return pages
}
