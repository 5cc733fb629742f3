import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { captureFields, captureObject, readCaptures } from './lib/captures.ts'
import { asAddress, pageUrl, timestamp } from './lib/timestamp.ts'

export const snapshots = defineAction('snapshots', {
  summary: 'List the captures of a web page in the Wayback Machine, oldest first.',
  notes:
    'One row for each capture. When next_resume_key is there, send it as resume_key to go on. A trailing * in url lists everything below it. To read a capture use ns_archive/fetch with its timestamp; to ask only whether there is one, ns_archive/available.',
  synonyms: [
    'wayback machine',
    'page history',
    'old versions of a website',
    'web archive',
    'what a page looked like',
    'earlier version',
  ],
  questions: [
    'when did this page change?',
    'which old versions of our pricing page are there?',
    'since when does this website exist?',
  ],
  cacheSeconds: 3_600,
  timeoutMs: 70_000,
  errors: ['bad_url'],
  input: z.strictObject({
    url: pageUrl,
    from: timestamp.optional().describe('First moment, or its beginning: 2019, 20190704.'),
    to: timestamp.optional().describe('Last moment, or its beginning.'),
    limit: z.int().min(1).max(1_000).default(100).describe('Captures to return, at most 1000.'),
    resume_key: z
      .string()
      .trim()
      .min(1)
      .max(4_000)
      .optional()
      .describe('next_resume_key of the page before.'),
  }),
  check: ({ url }) => void asAddress(url),
  output: z.looseObject({
    provider: z.string(),
    total: z.int().describe('Captures listed here.'),
    next_resume_key: z.string().nullable(),
    snapshots: z.array(captureObject),
  }),
  price: { cents: 1 },
  example: {
    input: { url: 'https://www.nasa.gov/', from: '1996', to: '1997', limit: 2 },
    cents: 1,
  },
  takes: { URL: { place: 3, fills: (url) => ({ url }) } },
  async run({ input, http }) {
    const { from, to, limit, resume_key: resumeKey } = input
    const answer: unknown = await http.get('/cdx/search/cdx', {
      host: { host: 'web.archive.org' },
      query: {
        url: asAddress(input.url),
        from,
        to,
        limit,
        output: 'json',
        fl: captureFields.join(','),
        showResumeKey: 'true',
        resumeKey,
      },
    })
    if (answer !== null && !Array.isArray(answer)) throw fail('upstream_error')
    const [, ...lines] = (answer ?? []) as string[][]
    const { captures, nextKey } = readCaptures(lines)
    return {
      provider: 'Internet Archive',
      total: captures.length,
      next_resume_key: nextKey,
      snapshots: captures,
    }
  },
})
