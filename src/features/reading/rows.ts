// The rows and call data that both page-reading actions answer with. Source: spec, "Page row", "Page-reading call data".

import type { PageFormat } from '@tollway/reader'
import { z } from '#core/action.ts'
import type { LadderRow } from './ladder/ladder.ts'

export const hopSchema = z.object({
  provider: z.string(),
  action: z.string(),
  ok: z.boolean().describe('Whether this call brought the page back.'),
  charged_cents: z.number(),
  latency_ms: z.number(),
  skipped: z.string().exactOptional().describe('Why the call was not made.'),
})

export const rowSchema = z.object({
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
  charged_usd: z
    .string()
    .exactOptional()
    .describe('On the deep tier: the exact amount of which charged_cents is the whole cents.'),
  error: z.string().optional(),
})

export const readingSchema = z.object({
  url_count: z.int(),
  row_count: z.int(),
  read_count: z.int(),
  format: z.string(),
  hard: z.boolean().describe('Whether the unblock rungs were attempted.'),
  rows: z.array(rowSchema),
  calls: z.array(hopSchema.extend({ url: z.string() })).describe('The provider calls made.'),
  next: z.string().optional().describe('What to do about pages that were not read.'),
})

export type PageRow = z.output<typeof rowSchema>
export type CallHop = z.output<typeof hopSchema>

/** A page that the budget did not reach. */
export function unstartedRow(url: string, format: PageFormat): PageRow {
  return {
    id: url,
    url,
    final_url: null,
    title: null,
    content: null,
    format,
    chars: 0,
    provider: null,
    yield: 0,
    quality_flags: [],
    hops: [],
    hard: false,
    charged_cents: 0,
    error: 'over budget',
  }
}

/** Of the contents of one answer together, as JSON: the books keep 20 000 000 characters, and a longer answer is none. */
const contentCharactersMax = 15_000_000

/** The rows, those whose content has no room left in the answer without it, and free. */
export function fitRows(rows: readonly PageRow[]): readonly PageRow[] {
  return rows.map(createContentRoom())
}

/** One answer's room: takes one row after the other, and gives each back as it fits. */
export function createContentRoom(): (row: PageRow) => PageRow {
  let left = contentCharactersMax
  return (row) => {
    const characters = JSON.stringify(row.content).length
    if (characters > left) return omitted(row)
    left -= characters
    return row
  }
}

function omitted(row: PageRow): PageRow {
  const hops = row.hops.map((hop) => ({ ...hop, charged_cents: 0 }))
  const nothing = { content: null, chars: 0, provider: null, charged_cents: 0 }
  return { ...row, ...nothing, hops, error: 'too large' }
}

/** What a call has read, from its rows in the order of its pages. */
export function toReading(rows: readonly PageRow[], format: PageFormat) {
  return {
    url_count: rows.length,
    row_count: rows.length,
    read_count: rows.filter(({ content }) => content !== null).length,
    format,
    hard: rows.some(({ hard }) => hard),
    rows: [...rows],
    calls: rows.flatMap(callsOf),
  }
}

export function toRow(row: LadderRow, format: PageFormat): PageRow {
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
    hard: row.hard,
    // The cheap tier charges for the call. The deep tier charges its rows together, when all have been read.
    charged_cents: 0,
    ...(page === null ? { error: row.isClosed ? 'robots' : 'blocked' } : {}),
  }
}

function callsOf({ url, hops }: PageRow) {
  return hops.filter(({ skipped }) => skipped === undefined).map((hop) => ({ url, ...hop }))
}
