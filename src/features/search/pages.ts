// Pages instead of search results: those that the caller names, the archived copies of a day, and the texts of the best results.
import type { RunContext } from '#core/action.ts'
import type { Clock } from '#core/ports.ts'
import { within } from './deadline.ts'
import type { Evidence, EvidenceList, SourceResult } from './evidence.ts'
import type { ReadingFacet } from './facets.ts'
import { contentCharactersMax } from './lanes/findings.ts'
import { type Asked, isMissing, notAvailable } from './lanes/lane.ts'
import { createPaidCall, type PriceOf } from './lanes/paid-call.ts'
import type { Purse } from './lanes/purse.ts'

export interface EvidencePage {
  readonly url: string
  /** Null where the page was not read. */
  readonly content: string | null
  readonly title: string | null
  readonly publishedAt: string | null
  /** `service/action` or the way of this machine. */
  readonly source: string | null
  /** Why it was not read. */
  readonly trouble: string | null
}

type PageContext = Pick<
  RunContext<unknown>,
  'call' | 'available' | 'signal' | 'record' | 'caller' | 'transactionId'
>

/** How pages are read. The room of page reading implements it. */
export interface EvidencePages {
  /** The addresses, normalised and each once. Throws CallError for one that is not that of a public web page. */
  admit(urls: readonly string[]): readonly string[]
  /** One row per address. `isHard`: also by the ways that pass harder walls. */
  read(
    urls: readonly string[],
    request: Omit<PageContext, 'transactionId'> & {
      readonly isHard: boolean
      readonly timeoutMs: number
    },
  ): Promise<readonly EvidencePage[]>
  /** The text of a page that is in memory already. */
  textOf(
    html: string,
    url: string,
  ): Promise<{ readonly title: string | null; readonly content: string }>
}

export interface PagesDependencies {
  readonly pages: EvidencePages
  readonly priceOf: PriceOf
  readonly clock: Clock
}

interface PagesRequest {
  readonly context: PageContext
  readonly purse: Purse
  readonly timeoutMs: number
}

export interface PagesFound {
  readonly lists: readonly EvidenceList[]
  readonly asked: readonly Asked[]
}

const snippetCharactersMax = 300
/** The action that reads archived copies. */
export const archive = 'ns_archive/fetch'
/** Results that are read when whole texts are wanted. */
const pagesReadMax = 3

export async function readNamed(
  urls: readonly string[],
  facet: ReadingFacet,
  request: PagesRequest,
  { pages, priceOf, clock }: PagesDependencies,
): Promise<PagesFound> {
  const { context, purse, timeoutMs } = request
  const startedAt = clock.now()
  const isHard = facet === 'scrape-hard'
  const rows = await pages.read(urls, {
    ...{ ...context, isHard, timeoutMs },
    call: createPaidCall(context, { purse, priceOf, signal: context.signal }),
  })
  const latency_ms = Math.round(clock.now() - startedAt)
  const read = rows.map((row) => ({ row, finding: findingOf(row) }))
  return {
    lists: read.flatMap(({ row, finding }) =>
      finding ? listOf(facet, row.source ?? facet, finding, context) : [],
    ),
    asked: read.map(({ row: { url, source, trouble }, finding }) => ({
      ...{ facet, source: source ?? url, latency_ms },
      ...(finding
        ? { outcome: 'found', found: 1 }
        : { outcome: 'failed', found: 0, reason: trouble ?? `${url} could not be read.` }),
    })),
  }
}

function findingOf({ url, content, title, publishedAt }: EvidencePage): SourceResult | undefined {
  if (content === null || content.trim() === '') return undefined
  return {
    ...{ url, title: title ?? url, primary: true },
    content: content.slice(0, contentCharactersMax),
    snippet: content.slice(0, snippetCharactersMax),
    ...(publishedAt && { published_at: publishedAt }),
  }
}

const listOf = (
  facet: string,
  source: string,
  finding: SourceResult,
  { transactionId: transaction_id }: PageContext,
): EvidenceList => ({
  ...{ facet, source, confidence: 1, findings: [finding] },
  ...(transaction_id && { transaction_id }),
})

/** The copies nearest to a day, `YYYYMMDD`. */
export async function readArchived(
  urls: readonly string[],
  asOf: string,
  request: PagesRequest & { readonly facet: string },
  dependencies: PagesDependencies,
): Promise<PagesFound> {
  const { context, purse, facet, timeoutMs } = request
  const { priceOf, clock, pages } = dependencies
  const about = { facet, source: archive }
  if (!context.available(archive))
    return {
      lists: [],
      asked: [
        {
          ...{ ...about, outcome: 'not_asked', found: 0, latency_ms: 0 },
          reason: notAvailable,
        },
      ],
    }
  const found = await Promise.all(
    urls.map(async (url): Promise<PagesFound> => {
      const startedAt = clock.now()
      const timed = () => ({ ...about, latency_ms: Math.round(clock.now() - startedAt) })
      try {
        const { copy, title, content } = await within(
          { deadlineMs: timeoutMs, outer: context.signal, clock },
          async (signal) => {
            const call = createPaidCall(context, { purse, priceOf, signal })
            const found = await call(archive, { url, timestamp: asOf })
            return { copy: found, ...(await pages.textOf(found.content, url)) }
          },
        )
        const finding = findingOf({
          ...{
            url: copy.archived_url,
            title: title ?? url,
            content,
            source: archive,
            trouble: null,
          },
          publishedAt: momentOf(copy.timestamp),
        })
        if (finding === undefined)
          return { lists: [], asked: [{ ...timed(), outcome: 'empty', found: 0 }] }
        return {
          lists: [listOf(facet, archive, finding, context)],
          asked: [{ ...timed(), outcome: 'found', found: 1 }],
        }
      } catch (thrown) {
        context.signal.throwIfAborted()
        const outcome = isMissing(thrown) ? 'empty' : 'failed'
        const reason = `no archived copy of ${url} could be read`
        return { lists: [], asked: [{ ...timed(), outcome, found: 0, reason }] }
      }
    }),
  )
  return { lists: found.flatMap(({ lists }) => lists), asked: found.flatMap(({ asked }) => asked) }
}

/** `20150704123456` or its beginning as ISO 8601. */
function momentOf(timestamp: string): string | null {
  const [, year, month, day, time = ''] = /^(\d{4})(\d\d)(\d\d)(\d{6})?$/.exec(timestamp) ?? []
  if (year === undefined) return null
  const clock = time.replace(/^(..)(..)(..)$/, 'T$1:$2:$3Z')
  return `${year}-${month}-${day}${clock}`
}

/** The evidence with the texts of its best pages. What cannot be read stays as it is. */
export async function withTexts(
  evidence: readonly Evidence[],
  request: PagesRequest,
  { pages, priceOf }: PagesDependencies,
): Promise<readonly Evidence[]> {
  const { context, purse, timeoutMs } = request
  const unread = evidence.slice(0, pagesReadMax).filter(({ content }) => content === null)
  const urls = unread.flatMap(({ url }) => admitted(url, pages))
  if (urls.length === 0) return evidence
  const rows = await pages
    .read(
      urls.map(({ normal }) => normal),
      {
        ...{ ...context, isHard: false, timeoutMs },
        call: createPaidCall(context, { purse, priceOf, signal: context.signal }),
      },
    )
    .catch((): readonly EvidencePage[] => [])
  context.signal.throwIfAborted()
  const texts = new Map(rows.map(({ url, content }) => [url, content]))
  const byUrl = new Map(urls.map(({ url, normal }) => [url, texts.get(normal)]))
  return evidence.map((each) => {
    const content = byUrl.get(each.url)
    return content ? { ...each, content: content.slice(0, contentCharactersMax) } : each
  })
}

function admitted(url: string, pages: EvidencePages): { url: string; normal: string }[] {
  try {
    return pages.admit([url]).map((normal) => ({ url, normal }))
  } catch {
    return []
  }
}
