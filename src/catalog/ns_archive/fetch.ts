import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { follow, readMementoLinks } from './lib/memento.ts'
import { asAddress, pageUrl, replayUrl, timestamp } from './lib/timestamp.ts'

export const fetch = defineAction('fetch', {
  summary: 'Read the archived copy of a web page as it was, without the archive’s own banner.',
  notes:
    'The timestamp is the beginning of YYYYMMDDhhmmss in UTC; the nearest capture is read, and timestamp in the answer says which. Redirects of that time are followed. Text only: images and PDFs are refused. Find captures with ns_archive/snapshots; to read the page as it is today use a scraping action such as scraping/scrape.',
  synonyms: [
    'read old page',
    'wayback fetch',
    'deleted page',
    'dead link',
    'archived html',
    'page in the past',
    'homepage in the past',
  ],
  questions: [
    'what did this page say in 2015?',
    'this link is dead, what was there?',
    'what were their terms of service before the change?',
  ],
  cacheSeconds: 86_400,
  timeoutMs: 120_000,
  errors: ['bad_url', 'not_found'],
  input: z.strictObject({
    url: pageUrl,
    timestamp: timestamp.describe('Moment, or its beginning, UTC: 20150704.'),
  }),
  check: ({ url }) => void asAddress(url),
  output: z.looseObject({
    provider: z.string(),
    url: z.string().describe('Address of the capture that was read.'),
    timestamp: z.string(),
    status: z.int().describe('What the page answered then.'),
    content_type: z.string().nullable(),
    content: z.string(),
    chars: z.int(),
    first: z.string().nullable().describe('Moment of the first capture.'),
    prev: z.string().nullable(),
    next: z.string().nullable(),
    archived_url: z.string(),
  }),
  price: { cents: 1 },
  example: { input: { url: 'https://www.nasa.gov/', timestamp: '19961231' }, cents: 1 },
  async run({ input, http }) {
    const { reply, moment, url } = await follow(http, input.timestamp, asAddress(input.url))
    const { status, headers, body } = reply
    const content = String(body ?? '')
    if (content.includes('\0'))
      throw fail('bad_request', {
        message: 'This capture is not text. Images and PDFs are not read here.',
      })
    return {
      provider: 'Internet Archive',
      url,
      timestamp: moment,
      status,
      content_type: headers['x-archive-orig-content-type'] ?? headers['content-type'] ?? null,
      content,
      chars: content.length,
      ...readMementoLinks(headers.link),
      archived_url: replayUrl(moment, url),
    }
  },
})
