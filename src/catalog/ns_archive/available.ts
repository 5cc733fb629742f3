import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { asAddress, pageUrl, timestamp } from './lib/timestamp.ts'

export const available = defineAction('available', {
  summary: 'Ask whether the Wayback Machine has a page, and for the capture nearest to a day.',
  notes:
    'The quick question. closest is null when nothing is archived. For all captures use ns_archive/snapshots, to read one ns_archive/fetch.',
  synonyms: ['is it archived', 'wayback availability', 'closest snapshot', 'archived copy'],
  questions: [
    'is there an archived copy of this page?',
    'what is the capture nearest to 1 January 2020?',
    'did the wayback machine save this article?',
  ],
  cacheSeconds: 3_600,
  errors: ['bad_url'],
  input: z.strictObject({
    url: pageUrl,
    timestamp: timestamp.optional().describe('Day to be near to, YYYYMMDD. Absent: the newest.'),
  }),
  check: ({ url }) => void asAddress(url),
  output: z.looseObject({
    provider: z.string(),
    url: z.string(),
    available: z.boolean(),
    closest: z
      .looseObject({ timestamp: z.string(), url: z.string(), status: z.string().nullish() })
      .nullable(),
  }),
  price: { cents: 1 },
  example: { input: { url: 'example.com', timestamp: '20060101' }, cents: 1 },
  async run({ input, http }) {
    const url = asAddress(input.url)
    const answer = await http.get('/wayback/available', {
      host: { host: 'archive.org' },
      query: { url, timestamp: input.timestamp },
    })
    if (typeof answer?.archived_snapshots !== 'object') throw fail('upstream_error')
    const closest = answer.archived_snapshots.closest ?? null
    return { provider: 'Internet Archive', url, available: closest?.available === true, closest }
  },
})
