// The rows and call data that both page-reading actions answer with. Source: spec, "Page row", "Page-reading call
// data".

import { estimateTokens, estimateWords, type PageFormat, type PageMetadata } from '@tollway/reader'
import { z } from '#core/action.ts'
import type { Picture } from '../browsers/picture.ts'
import type { ReadPage } from '../ladder/attempt.ts'
import type { LadderRow } from '../ladder/ladder.ts'
import { type ContentOptions, shapeContent } from './options.ts'

export const hopSchema = z.object({
  provider: z.string(),
  action: z.string(),
  ok: z.boolean().describe('Whether this call brought the page back.'),
  charged_cents: z.number(),
  latency_ms: z.number(),
  skipped: z.string().exactOptional().describe('Why the call was not made.'),
})

const metadataSchema = z.object({
  description: z.string().nullable(),
  author: z.string().nullable(),
  published_time: z.string().nullable().describe('ISO 8601, as exact as the page says.'),
  modified_time: z.string().nullable(),
  language: z.string().nullable().describe('A language tag, such as pt-BR.'),
  site_name: z.string().nullable(),
  canonical_url: z.string().nullable(),
  image: z.string().nullable().describe('The address of the picture that stands for the page.'),
})

export const rowSchema = z.object({
  id: z.string(),
  url: z.string().describe('The address as normalised from the input.'),
  final_url: z.string().nullable(),
  title: z.string().nullable(),
  content: z.string().nullable().describe('Null when no fetcher brought back readable content.'),
  format: z.enum(['markdown', 'html', 'text']).describe('What actually came back.'),
  chars: z.int(),
  tokens: z.int().exactOptional().describe('Of the content, as estimated.'),
  word_count: z.int().exactOptional().describe('Of the content.'),
  next_offset: z
    .int()
    .exactOptional()
    .describe('Where the content goes on, if max_tokens cut it: the `offset` of the next call.'),
  markdown: z.string().exactOptional().describe('With formats.'),
  html: z.string().exactOptional().describe('With formats.'),
  links: z
    .array(z.object({ url: z.string(), text: z.string() }))
    .exactOptional()
    .describe('With formats: the links of the content, each address once, 2000 at most.'),
  images: z
    .array(z.object({ url: z.string(), alt: z.string() }))
    .exactOptional()
    .describe('With formats: the pictures of the content, each address once, 2000 at most.'),
  screenshot: z
    .object({
      content_type: z.string(),
      width: z.int().describe('In pixels.'),
      height: z.int(),
      image_base64: z.string(),
    })
    .exactOptional()
    .describe('With formats: what a window shows of the page.'),
  metadata: metadataSchema
    .exactOptional()
    .describe('What the page says about itself. Null where it does not.'),
  status_code: z.int().exactOptional().describe('What the server of the page answered with.'),
  content_type: z.string().nullable().exactOptional(),
  cached: z.literal(true).exactOptional().describe('Read for an earlier call, within max_age.'),
  cached_at: z.string().exactOptional().describe('When it was read: ISO 8601.'),
  left_out: z
    .array(
      z.object({
        kind: z.enum(['table', 'list', 'quote', 'code', 'text']),
        words: z.int(),
      }),
    )
    .exactOptional()
    .describe(
      'What stands in or next to the main content and was not taken for a part of it, 20 at most. Read the page again with main_content false to have it.',
    ),
  provider: z.string().nullable().describe('The fetcher that read the page.'),
  yield: z.number().min(0).max(1),
  quality_flags: z.array(z.enum(['blocked', 'thin_content'])).describe('Of the last attempt.'),
  hops: z.array(hopSchema),
  hard: z.boolean(),
  charged_cents: z
    .number()
    .describe(
      'What the row cost on the deep tier. 0 on the cheap tier, which charges the call as a whole.',
    ),
  charged_usd: z
    .string()
    .exactOptional()
    .describe('On the deep tier: the exact amount of which charged_cents is the whole cents.'),
  truncated: z
    .literal(true)
    .exactOptional()
    .describe('The page is longer than what was read of it: more than 5 MB, or it broke off.'),
  error: z.string().optional().describe('Why the page was not read: a stable code.'),
  message: z.string().exactOptional().describe('Why the page was not read, in a sentence.'),
})

export const readingSchema = z.object({
  url_count: z.int(),
  row_count: z.int(),
  read_count: z.int(),
  format: z.string(),
  hard: z.boolean().describe('Whether the fetchers for blocked pages were attempted.'),
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

/**
 * Of the contents of one answer together, as JSON: the books keep 20,000,000 characters of an answer, and refuse a
 * longer one.
 */
const contentCharactersMax = 15_000_000

/** The rows. Those that do not fit into the answer lose their content and are free. */
export function fitRows(rows: readonly PageRow[]): readonly PageRow[] {
  return rows.map(createContentRoom())
}

/** The room of one answer. Takes one row after the other, and returns each as it fits. */
export function createContentRoom(): (row: PageRow) => PageRow {
  let left = contentCharactersMax
  return (row) => {
    const { content, markdown, html, links, images, screenshot } = row
    const texts = [content, markdown, html, links, images, screenshot?.image_base64]
    const characters = JSON.stringify(texts).length
    if (characters > left) return omitted(row)
    left -= characters
    return row
  }
}

function omitted({ id, url, format, ...row }: PageRow): PageRow {
  const { final_url, title, yield: pageYield, quality_flags, hard } = row
  const hops = row.hops.map((hop) => ({ ...hop, charged_cents: 0 }))
  const kept = { final_url, title, yield: pageYield, quality_flags, hard, hops }
  return { ...unstartedRow(url, 'markdown'), id, format, ...kept, error: 'too large' }
}

/** The data of a call, from its rows in the order of its pages. */
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

export function toRow(row: LadderRow, options: ContentOptions): PageRow {
  const { page, reply } = row
  const { format } = options
  return {
    id: row.url,
    url: row.url,
    final_url: row.finalUrl,
    title: page?.title ?? null,
    ...(page === null ? { content: null, format, chars: 0 } : contentFields(page, options)),
    ...(reply === null ? {} : { status_code: reply.status, content_type: reply.contentType }),
    ...(row.picture === null ? {} : { screenshot: toScreenshot(row.picture) }),
    ...(row.keptSince === null ? {} : { cached: true, cached_at: row.keptSince.toISOString() }),
    provider: row.provider,
    yield: row.yield,
    quality_flags: [...row.flags],
    hops: [...row.hops],
    hard: row.hard,
    // The cheap tier charges for the call. The deep tier charges its rows together, when all have been read.
    charged_cents: 0,
    ...(row.truncated ? { truncated: true } : {}),
    ...(row.trouble && { error: row.trouble.code, message: row.trouble.message }),
  }
}

function contentFields(page: ReadPage, options: ContentOptions) {
  const shaped = shapeContent(page.content, options)
  const { content } = shaped
  return {
    ...shaped,
    format: page.format,
    chars: content.length,
    tokens: estimateTokens(content),
    word_count: estimateWords(content),
    ...formFields(page, options),
    metadata: toMetadata(page.metadata),
    ...(page.leftOut && { left_out: [...page.leftOut] }),
  }
}

function formFields({ forms }: ReadPage, { formats = [] }: ContentOptions) {
  const { links = [], images = [], ...texts } = forms
  return {
    ...texts,
    ...(formats.includes('links') && { links: [...links] }),
    ...(formats.includes('images') && { images: [...images] }),
  }
}

function toScreenshot({ base64, width, height }: Picture) {
  return { content_type: 'image/webp', width, height, image_base64: base64 }
}

function toMetadata(metadata: PageMetadata) {
  const { description, author, language } = metadata
  return {
    description,
    author,
    published_time: metadata.publishedAt,
    modified_time: metadata.modifiedAt,
    language,
    site_name: metadata.siteName,
    canonical_url: metadata.canonicalUrl,
    image: metadata.imageUrl,
  }
}

function callsOf({ url, hops }: PageRow) {
  return hops.filter(({ skipped }) => skipped === undefined).map((hop) => ({ url, ...hop }))
}
