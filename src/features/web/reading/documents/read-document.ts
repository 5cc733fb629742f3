// `read-document`: the pages of a document as Markdown, from an address or from bytes.
import { buffer } from 'node:stream/consumers'
import { type Action, defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'
import type { Micros } from '#core/money.ts'
import type { Log } from '#core/ports.ts'
import type { EgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { readAddress } from '../actions/intake.ts'
import type { PageRoom } from '../pages/page-room.ts'
import { documentTypes } from './document.ts'
import { type DocumentAnswer, isRead, readAnswer } from './document-answer.ts'
import { documentLimits } from './document-process.ts'
import {
  documentBytesMax,
  type FetchedDocument,
  fetchDocument,
  tooLarge,
} from './fetch-document.ts'
import { findTesseract, type Tesseract } from './find-tesseract.ts'
import type { DocumentTask } from './messages.ts'

const pagesMax = 200
const usualPages = 20
/** A body has at most 1,000,000 bytes, and Base64 adds a third. */
const inlineBytesMax = 700_000
const base64CharactersMax = Math.ceil(inlineBytesMax / 3) * 4
const languagesMax = 4

const inputSchema = z.strictObject({
  url: z
    .string()
    .optional()
    .describe('The address of the document. Send this, file_id or content_base64.'),
  file_id: z.uuid().optional().describe('A file of yours in the file store.'),
  content_base64: z
    .string()
    .max(base64CharactersMax)
    .optional()
    .describe(`The document itself in Base64, up to ${inlineBytesMax / 1_000} kB.`),
  first_page: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('The page to begin with, from 1 on.'),
  max_pages: z
    .int()
    .min(1)
    .max(pagesMax)
    .default(usualPages)
    .describe('The most pages to return. They set the price that is held.'),
  ocr: z.boolean().default(true).describe('Recognise the text of scanned pages.'),
  ocr_languages: z
    .array(z.string().regex(/^[A-Za-z][A-Za-z_]{2,15}$/, 'must be a language code such as eng'))
    .min(1)
    .max(languagesMax)
    .optional()
    .describe('Languages of scanned pages, as Tesseract names them: eng, deu, fra. Default: eng.'),
})

const pageSchema = z.object({
  number: z.int(),
  title: z.string().nullable().describe('The first heading, or the name of the sheet or chapter.'),
  markdown: z.string(),
  tables: z
    .array(z.object({ rows: z.array(z.array(z.string())) }))
    .describe(
      'The tables of the page, row by row. A merged cell’s text is in each place it covers.',
    ),
  hidden: z.literal(true).optional().describe('A sheet or slide that its program does not show.'),
  ocr: z.literal(true).optional().describe('The text was recognised in a scan.'),
  error: z
    .enum(['scanned', 'no_text'])
    .optional()
    .describe(
      'The page was not read: it is a scan on which no text was recognised, or it has no text. It is free.',
    ),
})

const documentSchema = z.object({
  type: z.enum(documentTypes),
  final_url: z.string().nullable(),
  metadata: z.object({
    title: z.string().nullable(),
    author: z.string().nullable(),
    created: z.string().nullable(),
    modified: z.string().nullable(),
    language: z.string().nullable(),
    pages: z.int().nullable().describe('Of the whole document; null where it is not known.'),
  }),
  page_count: z.int().describe('The pages of this answer that were read. They are charged.'),
  pages: z.array(pageSchema),
  truncated: z.boolean().describe('There are more pages than these.'),
  next_page: z.int().nullable().describe('Send it as first_page to go on.'),
})

type Input = z.output<typeof inputSchema>

const errors = [
  'bad_url',
  'document_encrypted',
  'document_unreadable',
  'document_too_large',
  'document_unavailable',
] as const

export function createReadDocument(dependencies: {
  readonly guard: EgressGuard
  readonly fetcher: EgressFetcher
  readonly room: PageRoom
  readonly log: Log
  readonly tesseract?: Promise<Tesseract | undefined>
}): Action {
  const { guard, fetcher, room, log } = dependencies
  let found = dependencies.tesseract
  return defineAction('read-document', {
    summary:
      'Read a PDF, DOCX, XLSX, PPTX, EPUB or CSV file as Markdown, page by page, with its tables.',
    notes:
      'A page is a page of a PDF, a slide, a chapter, a sheet or, in Word, what fits on a page; a long sheet or chapter continues on further pages. Scanned pages are recognised where the gateway has Tesseract. Only pages that were read are charged. Go on with first_page = next_page. For web pages use onescrape.',
    synonyms: [
      'pdf to markdown',
      'parse document',
      'docx',
      'xlsx',
      'pptx',
      'epub',
      'csv',
      'ocr',
      'extract text from pdf',
      'extract tables',
    ],
    questions: [
      'read this PDF for me',
      'what does this Word document say?',
      'turn a spreadsheet into markdown tables',
      'get the text of a scanned document',
      'extract the tables of a PDF report',
    ],
    errors,
    input: inputSchema,
    output: documentSchema,
    spendsProcessor: true,
    check: (input) => void checkSource(input, guard),
    async admits({ file_id: fileId }, _caller, files) {
      if (fileId !== undefined && (await files.find(fileId)).bytes > documentBytesMax)
        throw tooLarge()
    },
    price: {
      cents: 0.2,
      per: ({ max_pages }) => max_pages,
      unit: 'page',
      atMost: pagesMax,
      wholeCents: true,
      used: ({ page_count }) => page_count,
    },
    example: { input: { url: 'https://example.com/report.pdf' }, cents: 4 },
    timeoutMs: 200_000,
    async run({ input, signal, caller, files, spend }) {
      found ??= findTesseract()
      const tesseract = input.ocr ? chooseLanguages(input, await found) : undefined
      const places = await room.enter({ owner: caller.accountId, pages: 1, signal })
      try {
        const source = await sourceOf(input, { signal, guard, fetcher, files })
        const { bytes, contentType, fileName } = source
        const { first_page: first, max_pages: count } = input
        const task: DocumentTask = {
          first,
          count,
          contentType,
          fileName,
          ...(tesseract && { tesseract }),
        }
        const startedMs = performance.now()
        const answer = await readAnswer({ bytes, task, signal, log }).catch((thrown) => {
          spend(costOfReading(performance.now() - startedMs))
          throw thrown
        })
        return { ...toOutput(answer), final_url: source.finalUrl }
      } finally {
        places.leave()
      }
    },
  })
}

/** What a second of processor time of this machine counts as in the cost of calls that are not charged. */
const processorSecondMicros = 1_000

/** A killed process cannot say what it has used, but never more than it lasted, nor than its limit. */
function costOfReading(durationMs: number): Micros {
  const seconds = Math.min(durationMs / 1_000, documentLimits.cpuSecondsMax)
  return Math.ceil(seconds * processorSecondMicros)
}

function checkSource(
  { url, file_id: fileId, content_base64: content }: Input,
  guard: EgressGuard,
): void {
  if ([url, fileId, content].filter((source) => source !== undefined).length !== 1)
    throw fail('bad_request', { message: 'Send exactly one of url, file_id and content_base64.' })
  if (url !== undefined) void readAddress(url, guard)
  if (content !== undefined && !/^[A-Za-z0-9+/]+={0,2}$/.test(content))
    throw fail('bad_request', {
      message: 'content_base64 is not Base64. Encode the bytes of the file.',
    })
}

type Source = Omit<FetchedDocument, 'finalUrl'> & { readonly finalUrl: string | null }

async function sourceOf(
  { url, file_id: fileId, content_base64: content = '' }: Input,
  reach: {
    readonly signal: AbortSignal
    readonly guard: EgressGuard
    readonly fetcher: EgressFetcher
    readonly files: CallerFiles
  },
): Promise<Source> {
  if (fileId !== undefined) return await readStoredFile(fileId, reach.files)
  if (url === undefined)
    return { bytes: Buffer.from(content, 'base64'), contentType: '', fileName: '', finalUrl: null }
  return await fetchDocument(readAddress(url, reach.guard), reach.signal, reach.fetcher.fetch)
}

/** Throws `not_found` and `file_pending`. The size of the file was checked before the call. */
async function readStoredFile(fileId: string, files: CallerFiles): Promise<Source> {
  const { filename, mediaType } = await files.find(fileId)
  const content = await buffer(await files.open(fileId))
  return { bytes: content, contentType: mediaType, fileName: filename, finalUrl: null }
}

function chooseLanguages(
  { ocr_languages: wanted }: Input,
  tesseract: Tesseract | undefined,
): Tesseract | undefined {
  if (tesseract === undefined) return undefined
  const { languages: known } = tesseract
  const missing = wanted?.find((language) => !known.includes(language))
  if (missing !== undefined)
    throw fail('bad_request', {
      message: `This gateway does not recognise "${missing}". It has: ${known.join(', ')}.`,
    })
  const languages = wanted ?? [known.includes('eng') ? 'eng' : (known[0] ?? '')]
  return { ...tesseract, languages }
}

function toOutput({ head, pages, nextPage }: DocumentAnswer) {
  return {
    type: head.type,
    metadata: { ...head.metadata, pages: head.pageCount ?? null },
    page_count: pages.filter(isRead).length,
    pages: pages.map(({ number, title, markdown, tables, ...marks }) => ({
      number,
      title,
      markdown,
      tables,
      ...(marks.isHidden && { hidden: true }),
      ...(marks.isRecognised && { ocr: true }),
      ...(marks.isUnreadScan && { error: 'scanned' }),
      ...(marks.isWithoutText && { error: 'no_text' }),
    })),
    truncated: nextPage !== undefined,
    next_page: nextPage ?? null,
  }
}
