import { type Action, defineAction, type Hop, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { normalizeUrl, readUrls } from './intake.ts'
import type { Ladder, LadderRow } from './ladder.ts'

const urlsMax = 5

const hopSchema = z.object({
  provider: z.string(),
  action: z.string(),
  ok: z.boolean().describe('Whether this call brought the page back.'),
  charged_cents: z.number(),
  latency_ms: z.number(),
  skipped: z.string().optional().describe('Why the call was not made.'),
})

const rowSchema = z.object({
  id: z.string(),
  url: z.string().describe('The address as normalised from the input.'),
  final_url: z.string().nullable(),
  title: z.string().nullable(),
  content: z.string().nullable().describe('Null when no rung brought back readable content.'),
  format: z.enum(['markdown', 'html', 'text']).describe('What actually came back.'),
  chars: z.int(),
  provider: z.string().nullable().describe('The rung that read the page.'),
  yield: z.number().min(0).max(1),
  quality_flags: z.array(z.enum(['blocked', 'thin_content'])).describe('Of the last attempt.'),
  hops: z.array(hopSchema),
  hard: z.boolean(),
  charged_cents: z.number(),
  error: z.string().optional(),
})

const outputSchema = z.object({
  url_count: z.int(),
  row_count: z.int(),
  read_count: z.int(),
  format: z.string(),
  hard: z.boolean().describe('Whether the unblock rungs were attempted: never on this tier.'),
  rows: z.array(rowSchema),
  calls: z.array(hopSchema.extend({ url: z.string() })).describe('The provider calls made.'),
  next: z.string().optional().describe('What to do about pages that were not read.'),
})

export function createOnescrape(options: {
  readonly ladder: Ladder
  readonly guard: EgressGuard
  /** The action that reads what this one cannot, where the gateway has it. */
  readonly deepAction?: string
}): Action {
  const { ladder, guard, deepAction } = options
  return defineAction('onescrape', {
    summary: 'Read up to five web pages as markdown or HTML.',
    notes:
      'Tries a plain request first and a browser when that brings no page. Pages behind walls of the harder kind, social platforms and documents (PDF, office files) are not for this action. One row per address, in order; a row that could not be read has content null.',
    synonyms: [
      'scrape',
      'read page',
      'fetch url',
      'web page to markdown',
      'extract content',
      'crawl',
    ],
    input: z.strictObject({
      urls: z
        .array(z.string())
        .min(1)
        .max(urlsMax)
        .describe('Web addresses. Bare hosts are accepted, duplicates are collapsed.'),
      format: z.enum(['markdown', 'html']).default('markdown'),
      main_content: z
        .boolean()
        .default(true)
        .describe('Leave out navigation and other furniture of the site.'),
    }),
    output: outputSchema,
    check: ({ urls }) => void readUrls(urls, guard),
    price: {
      cents: 2,
      per: ({ urls }) => new Set(urls.map(normalizeUrl)).size,
      unit: 'URL',
      atMost: urlsMax,
    },
    example: { input: { urls: ['https://example.com'] }, cents: 2 },
    timeoutMs: 40_000,
    async run({ input, signal, record }) {
      const { format, main_content: mainContent } = input
      const urls = readUrls(input.urls, guard)
      const found = await ladder.read({ urls, format, mainContent, signal, record })
      const unread = found.filter(({ page }) => page === null)
      const data = {
        url_count: urls.length,
        row_count: found.length,
        read_count: found.length - unread.length,
        format,
        hard: false,
        rows: found.map((row) => toRow(row, format)),
        calls: found.flatMap(callsOf),
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

function toRow(row: LadderRow, format: 'markdown' | 'html'): z.output<typeof rowSchema> {
  const { page } = row
  return {
    id: row.url,
    url: row.url,
    final_url: row.finalUrl,
    title: page?.title ?? null,
    content: page?.content ?? null,
    format: page?.format ?? format,
    chars: page?.content.length ?? 0,
    provider: row.provider,
    yield: row.yield,
    quality_flags: [...row.flags],
    hops: [...row.hops],
    hard: false,
    // The cheap tier charges for the call; only the deep tier charges by row.
    charged_cents: 0,
    ...(page === null ? { error: 'blocked' } : {}),
  }
}

function callsOf({ url, hops }: LadderRow): (Hop & { url: string })[] {
  return hops.filter(({ skipped }) => skipped === undefined).map((hop) => ({ url, ...hop }))
}

function nextStep(unread: readonly LadderRow[], deepAction: string | undefined): string {
  const troubles = unread.map(({ url, trouble }) => trouble ?? `${url} could not be read in time.`)
  const advice =
    deepAction === undefined
      ? 'Check the addresses, or try again later.'
      : `Retry on ${deepAction}: ${unread.map(({ url }) => url).join(', ')}`
  return `${troubles.join(' ')} ${advice}`
}
