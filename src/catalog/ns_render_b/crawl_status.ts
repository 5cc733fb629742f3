import { defineAction, z } from '#core/action.ts'
import { explain } from '#core/errors.ts'
import { path } from '#core/path.ts'
import { pageObject } from '../lib/web-page.ts'
import { jobId, noJob } from './lib/job-id.ts'

export const crawlStatus = defineAction('crawl_status', {
  summary: 'See how far a crawl of ns_render_b/crawl is, and read its pages.',
  notes:
    'Start a crawl with ns_render_b/crawl. Each poll is billed, so wait some seconds between polls. data holds the pages read so far and is whole when status is completed; failed and cancelled are final too. Crawls are forgotten about an hour after they end.',
  synonyms: ['poll crawl', 'crawl progress', 'crawl results', 'fastcrw', 'job status'],
  questions: [
    'is the site that I am copying done?',
    'how many pages have been read so far?',
    'give me the pages of the job from before',
  ],
  input: z.strictObject({ id: jobId.describe('The id that ns_render_b/crawl answered with.') }),
  output: z.looseObject({
    id: z.string(),
    status: z.string().describe('scraping, completed, failed or cancelled.'),
    total: z.int().nullish().describe('Pages found.'),
    completed: z.int().nullish().describe('Pages read.'),
    data: z.array(pageObject),
    error: z.string().nullish(),
  }),
  price: { cents: 1 },
  example: { input: { id: '3f2a1b4c-8e9d-4f7a-b6c5-2d1e0f9a8b7c' }, cents: 1 },
  owned: ({ id }) => ({ kind: 'crawl', id }),
  async run({ input, http }) {
    const job = await http.get(path`/v1/crawl/${input.id}`).catch(explain('not_found', noJob))
    const { success: _success, data, ...state } = job
    // The vendor documents an envelope around each page, but its server sends none.
    return { ...state, id: input.id, data: (data ?? []).map(unwrap) }
  },
})

const unwrap = (page: { success?: unknown; data?: object }) =>
  page.success === undefined ? page : { ...page.data }
