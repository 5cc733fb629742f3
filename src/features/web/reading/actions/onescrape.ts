import { type Action, defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { Ladder, LadderRow } from '../ladder/ladder.ts'
import type { OwnPages } from '../ladder/rungs.ts'
import { adviceOn, troubleOfTime } from '../ladder/trouble.ts'
import { normalizeUrl, readUrls } from './intake.ts'
import { checkContentOptions, pageOptions, sharedOptions, toReadOptions } from './options.ts'
import { fitRows, readingSchema, toReading, toRow } from './rows.ts'
import { secretOptions, toVisit, visitOptions } from './visit-options.ts'

export const urlsMax = 5
/** The pages of a call that answers at once. */
export const fewUrls = z
  .array(z.string())
  .min(1)
  .max(urlsMax)
  .describe('Web addresses. Bare hosts are accepted, duplicates are collapsed.')
/** Of one page, wherever a page is read for a fixed price. Source: spec, "Page reading, cheap tier". */
export const pageCents = 2
const timeoutMsMax = 25_000

const inputSchema = z.strictObject({
  urls: fewUrls,
  ...sharedOptions,
  ...pageOptions,
  ...visitOptions(timeoutMsMax),
  ...secretOptions,
})

export function createOnescrape(dependencies: {
  readonly ladder: Ladder
  readonly guard: EgressGuard
  readonly ownPages: OwnPages
  /** The action that reads what this one cannot, where the gateway has it. */
  readonly deepAction?: string
}): Action {
  const { ladder, guard, ownPages, deepAction } = dependencies
  return defineAction('onescrape', {
    summary: 'Read up to five web pages as markdown or HTML.',
    notes:
      'Tries a plain request first and a browser when that brings no page. It reads no social platforms. Use onescrape-deep for pages behind harder walls, and read-document for PDF and office files. One row per address, in order; a row that could not be read has content null. Options choose parts of a page by CSS selectors, add further forms, limit its tokens, and say how it is asked for.',
    synonyms: [
      'scrape',
      'read page',
      'fetch url',
      'web page to markdown',
      'extract content',
      'crawl',
    ],
    questions: [
      'read this web page for me',
      'turn a URL into markdown',
      'what does this site say?',
      'get the text of an article without the menus',
    ],
    errors: ['bad_url', 'onescrape_social', 'onescrape_document', 'all_blocked'],
    input: inputSchema,
    output: readingSchema,
    check(input) {
      const urls = readUrls(input.urls, guard, ownPages)
      checkContentOptions(input, urls.length)
    },
    price: {
      cents: pageCents,
      per: ({ urls }) => new Set(urls.map(normalizeUrl)).size,
      unit: 'URL',
      atMost: urlsMax,
    },
    example: { input: { urls: ['https://example.com'] }, cents: pageCents },
    takes: {
      URL: { fills: (url) => ({ urls: [url] }) },
      domain: { place: 3, fills: (domain) => ({ urls: [domain] }) },
    },
    timeoutMs: 40_000,
    async run({ input, ...context }) {
      const { format } = input
      const urls = readUrls(input.urls, guard, ownPages)
      const found = await ladder.read({
        ...context,
        ...toReadOptions(input),
        urls,
        visit: toVisit(input),
        timeoutMs: input.timeout_ms,
        maxAgeSeconds: input.max_age,
      })
      const unread = found.filter(({ page }) => page === null)
      const data = {
        ...toReading(fitRows(found.map((row) => toRow(row, input))), format),
        ...(unread.length === 0 ? {} : { next: nextStep(unread, deepAction) }),
      }
      if (data.read_count === 0)
        throw fail('all_blocked', {
          message: `No page could be read, and nothing was charged. ${data.next}`,
          data,
        })
      return data
    },
  })
}

/** Why the pages were not read, and what to do about it. `deepAction` reads what the asked action cannot. */
export function nextStep(unread: readonly LadderRow[], deepAction?: string): string {
  const pages = unread.map(({ url, trouble }) => ({ url, trouble: trouble ?? troubleOfTime(url) }))
  const messages = pages.map(({ trouble }) => trouble.message)
  return `${messages.join(' ')} ${adviceOn(pages, deepAction)}`
}
