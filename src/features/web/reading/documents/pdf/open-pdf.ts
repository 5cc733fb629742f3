// PDF: its pages with text in reading order; a page that is only a picture is read by character recognition.
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { membersOf } from '#core/input/members.ts'
import type { DocumentBlock } from '../blocks.ts'
import type { DocumentMetadata, OpenedDocument, PageContent } from '../document.ts'
import { encrypted, unreadable } from '../failure.ts'
import { layOut, type PageLayout, typeSizesOf } from './layout.ts'
import { type PageContentParts, readPageContent, readRuns } from './page-content.ts'
import type { TypeSizes } from './paragraphs.ts'
import { openWithPdfJs } from './pdfjs.ts'
import { withinBounds } from './pdfjs-limits.ts'
import { neighbours, withoutRunningHeads } from './running-heads.ts'
import { composeScan } from './scan.ts'
import type { Recognise } from './tesseract.ts'
import type { TextRun } from './text-run.ts'

/** The sizes of type are taken from the first pages. */
const sampledPages = 8
const keptPages = 2 * neighbours + 2

export async function openPdf(
  bytes: Buffer,
  recognise: Recognise | undefined,
): Promise<OpenedDocument> {
  const document = await withinBounds(openWithPdfJs(new Uint8Array(bytes)).catch(explain))
  const pageCount = document.numPages
  const pages = createPageCache(document)
  return {
    type: 'pdf',
    metadata: await metadataOf(document),
    pageCount,
    async *pages(first) {
      const sizes = typeSizesOf(await sampleRuns(document))
      for (let number = first; number <= pageCount; number += 1)
        yield await readPage(number, { pages, pageCount, sizes, recognise })
    },
  }
}

async function sampleRuns(document: PDFDocumentProxy): Promise<TextRun[]> {
  const runs: TextRun[] = []
  for (let number = 1; number <= Math.min(sampledPages, document.numPages); number += 1)
    runs.push(...(await withinBounds(readRuns(await document.getPage(number).catch(explain)))))
  return runs
}

interface PdfReading {
  readonly pages: ReturnType<typeof createPageCache>
  readonly pageCount: number
  readonly sizes: TypeSizes
  readonly recognise: Recognise | undefined
}

async function readPage(number: number, reading: PdfReading): Promise<PageContent> {
  const kind = kindOf(await reading.pages.read(number))
  if (kind === 'bare scan') {
    const scan = await recogniseScan(number, reading)
    if (scan === undefined || scan.runs.length === 0) return unreadScan
    const layout = await withoutHeads(number, reading)
    const printed = layout.runs.filter((run) => isInMargin(run, layout))
    return { title: null, blocks: blocksOfScan(scan, printed), isRecognised: true }
  }
  const layout = await withoutHeads(number, reading)
  const blocks = layOut(layout, reading.sizes)
  const printed = { title: firstHeading(blocks), blocks }
  if (kind === 'text') return printed
  const scan = await recogniseScan(number, reading)
  if (scan === undefined) return { ...printed, isUnreadScan: true }
  // A picture without letters under a title.
  if (scan.runs.length === 0) return printed
  return { title: null, blocks: blocksOfScan(scan, layout.runs), isRecognised: true }
}

/** The page without the heads that the pages around it have too. */
async function withoutHeads(number: number, { pages, pageCount }: PdfReading): Promise<PageLayout> {
  const others = []
  for (let other = number - neighbours; other <= number + neighbours; other += 1)
    if (other !== number && other >= 1 && other <= pageCount)
      others.push({ layout: await pages.read(other), distance: Math.abs(other - number) })
  return withoutRunningHeads(await pages.read(number), others)
}

const unreadScan: PageContent = { title: null, blocks: [], isUnreadScan: true }

/** A page number may be printed on a scan. */
const scanCharactersMax = 30
/** So may the head and the foot of a court or an archive, in the margins. */
const marginShare = 0.12
const marginCharactersMax = 300
const scanShareMin = 0.5
/** Of a page without a single character: a scan of a part of it, or one with white borders that were cut off. */
const textlessShareMin = 0.05

function kindOf(page: PageContentParts): 'text' | 'bare scan' | 'scan with printed margins' {
  const { runs, images, width, height } = page
  const characters = charactersOf(runs)
  const covered = images.reduce((sum, { matrix: [a, b, c, d] }) => sum + Math.abs(a * d - b * c), 0)
  const shareMin = characters === 0 ? textlessShareMin : scanShareMin
  if (covered < shareMin * width * height) return 'text'
  if (characters < scanCharactersMax) return 'bare scan'
  const inside = charactersOf(runs.filter((run) => !isInMargin(run, page)))
  return inside < scanCharactersMax && characters <= marginCharactersMax
    ? 'scan with printed margins'
    : 'text'
}

const charactersOf = (runs: readonly TextRun[]) =>
  runs.reduce((sum, { text }) => sum + text.length, 0)

function isInMargin({ left, right, top, bottom }: TextRun, { width, height }: PageLayout): boolean {
  const isAboveOrBelow = bottom < height * marginShare || top > height * (1 - marginShare)
  return isAboveOrBelow || right < width * marginShare || left > width * (1 - marginShare)
}

/** Undefined without Tesseract, or where it failed. */
async function recogniseScan(
  number: number,
  { recognise, pages }: PdfReading,
): Promise<PageLayout | undefined> {
  if (recognise === undefined) return undefined
  const page = await pages.open(number)
  const layout = await recognise(await composeScan(page, await pages.read(number)))
  page.cleanup()
  return layout
}

/** Recognised sizes vary from line to line, so they make no headings. */
function blocksOfScan(scan: PageLayout, printed: readonly TextRun[]): DocumentBlock[] {
  return layOut({ ...scan, runs: [...scan.runs, ...printed] }, { body: 0, headings: [] })
}

const firstHeading = (blocks: readonly DocumentBlock[]) =>
  blocks.find((block) => block.kind === 'heading')?.text ?? null

/** The pages that were read last: each is looked at again by its neighbours. */
function createPageCache(document: PDFDocumentProxy) {
  const kept = new Map<number, PageContentParts>()
  const open = (number: number) => document.getPage(number).catch(explain)
  return {
    open,
    async read(number: number): Promise<PageContentParts> {
      const known = kept.get(number)
      if (known !== undefined) return known
      const page = await open(number)
      const content = await withinBounds(readPageContent(page))
      if (kindOf(content) === 'text') page.cleanup()
      kept.set(number, content)
      const [oldest] = kept.keys()
      if (kept.size > keptPages && oldest !== undefined) kept.delete(oldest)
      return content
    },
  }
}

function explain(thrown: unknown): never {
  const name = thrown instanceof Error ? thrown.name : ''
  if (name === 'PasswordException') throw encrypted()
  throw unreadable('The PDF is damaged and cannot be read.', thrown)
}

async function metadataOf(document: PDFDocumentProxy): Promise<DocumentMetadata> {
  const { info } = await document.getMetadata().catch(explain)
  const text = (name: string) => {
    const value = membersOf(info)[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  }
  return {
    title: text('Title'),
    author: text('Author'),
    created: toIso(text('CreationDate')),
    modified: toIso(text('ModDate')),
    language: text('Language'),
  }
}

/** `D:20261122122640+01'00'` */
function toIso(date: string | null): string | null {
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?([+-]\d\d|Z)?'?(\d\d)?/.exec(
    date ?? '',
  )
  if (parts === null) return null
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    zone,
    half = '00',
  ] = parts
  const offset = zone === undefined || zone === 'Z' ? 'Z' : `${zone}:${half}`
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
