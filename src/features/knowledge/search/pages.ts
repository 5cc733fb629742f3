// Pages instead of search results: those that the caller names, and the archived copies of a day.
import type { RunContext } from '#core/action.ts'
import type { Clock } from '#core/ports.ts'
import type { PageText, PageTexts } from '#core/rooms/page-texts.ts'
import { withDeadline } from '#platform/deadline.ts'
import type { EvidenceList, SourceResult } from './evidence.ts'
import type { ReadingFacet } from './facets.ts'
import { contentCharactersMax } from './lanes/findings.ts'
import { type Asked, isMissing, notAvailable } from './lanes/lane.ts'
import { createPaidCall, type PriceOf } from './lanes/paid-call.ts'
import type { Purse } from './lanes/purse.ts'
import { type AnswerReceipt, keepAnswers, type Receipts } from './lanes/receipts.ts'

type PageContext = Pick<RunContext<unknown>, 'call' | 'available' | 'signal' | 'record' | 'caller'>

export interface PagesDependencies {
  readonly pages: PageTexts
  readonly priceOf: PriceOf
  readonly clock: Clock
}

export interface PagesRequest {
  readonly context: PageContext
  readonly purse: Purse
  readonly receipts: Receipts
  readonly timeoutMs: number
}

export interface PagesFound {
  readonly lists: readonly EvidenceList[]
  readonly asked: readonly Asked[]
}

/** The action that reads archived copies. */
export const archive = 'ns_archive/fetch'

export async function readNamed(
  urls: readonly string[],
  facet: ReadingFacet,
  request: PagesRequest,
  { pages, priceOf, clock }: PagesDependencies,
): Promise<PagesFound> {
  const { context, purse, receipts, timeoutMs } = request
  const startedAt = clock.now()
  const isHard = facet === 'scrape-hard'
  const rows = await pages.read(urls, {
    ...context,
    isHard,
    timeoutMs,
    call: createPaidCall(context, { purse, priceOf, signal: context.signal }),
  })
  const latency_ms = Math.round(clock.now() - startedAt)
  const read = rows.map((row) => ({ row, finding: findingOf(row) }))
  return {
    lists: read.flatMap(({ row, finding }) =>
      finding
        ? listOf(facet, row.source ?? facet, finding, receipts.take(row.source ?? facet, row))
        : [],
    ),
    asked: read.map(({ row: { url, source, trouble }, finding }) => ({
      facet,
      source: source ?? url,
      latency_ms,
      ...(finding
        ? { outcome: 'found', found: 1 }
        : { outcome: 'failed', found: 0, reason: trouble ?? `${url} could not be read.` }),
    })),
  }
}

function findingOf({ url, content, title, publishedAt }: PageText): SourceResult | undefined {
  if (content === null || content.trim() === '') return undefined
  return {
    url,
    title: title ?? url,
    primary: true,
    content: content.slice(0, contentCharactersMax),
    ...(publishedAt && { published_at: publishedAt }),
  }
}

const listOf = (
  facet: string,
  source: string,
  finding: SourceResult,
  receipt: AnswerReceipt | undefined,
): EvidenceList => ({
  facet,
  source,
  confidence: 1,
  findings: [{ ...finding, ...(receipt && { receipts: [receipt] }) }],
})

/** The copies nearest to a day, `YYYYMMDD`, each for the facet that its page was found for. */
export async function readArchived(
  named: readonly { readonly url: string; readonly facet: string }[],
  asOf: string,
  request: PagesRequest,
  dependencies: PagesDependencies,
): Promise<PagesFound> {
  if (!request.context.available(archive)) {
    const facet = named[0]?.facet ?? 'web'
    const about = { facet, source: archive, found: 0, latency_ms: 0 }
    return { lists: [], asked: [{ ...about, outcome: 'not_asked', reason: notAvailable }] }
  }
  const found = await Promise.all(
    named.map((page) => readCopy({ ...page, asOf }, request, dependencies)),
  )
  return { lists: found.flatMap(({ lists }) => lists), asked: found.flatMap(({ asked }) => asked) }
}

async function readCopy(
  { url, facet, asOf }: { readonly url: string; readonly facet: string; readonly asOf: string },
  { context, purse, receipts, timeoutMs }: PagesRequest,
  { priceOf, clock, pages }: PagesDependencies,
): Promise<PagesFound> {
  const startedAt = clock.now()
  const timed = () => ({
    facet,
    source: archive,
    latency_ms: Math.round(clock.now() - startedAt),
  })
  try {
    const { copy, title, content } = await withDeadline(
      { timeoutMs: timeoutMs, outer: context.signal, clock },
      async (signal) => {
        const paid = createPaidCall(context, { purse, priceOf, signal })
        const { call } = keepAnswers(paid, receipts)
        const found = await call(archive, { url, timestamp: asOf })
        return { copy: found, ...(await pages.textOf(found.content, url)) }
      },
    )
    const finding = findingOf({
      url: copy.archived_url,
      title: title ?? url,
      content,
      source: archive,
      trouble: null,
      publishedAt: momentOf(copy.timestamp),
    })
    if (finding === undefined)
      return { lists: [], asked: [{ ...timed(), outcome: 'empty', found: 0 }] }
    return {
      lists: [listOf(facet, archive, finding, receipts.find(copy))],
      asked: [{ ...timed(), outcome: 'found', found: 1 }],
    }
  } catch (thrown) {
    context.signal.throwIfAborted()
    const outcome = isMissing(thrown) ? 'empty' : 'failed'
    const reason = `no archived copy of ${url} could be read`
    return { lists: [], asked: [{ ...timed(), outcome, found: 0, reason }] }
  }
}

/** `20150704123456` or its beginning as ISO 8601. */
function momentOf(timestamp: string): string | null {
  const [, year, month, day, time = ''] = /^(\d{4})(\d\d)(\d\d)(\d{6})?$/.exec(timestamp) ?? []
  if (year === undefined) return null
  const clock = time.replace(/^(..)(..)(..)$/, 'T$1:$2:$3Z')
  return `${year}-${month}-${day}${clock}`
}
