// What this machine does in place of the scraping vendors when their keys are missing: the same actions, with the same
// parameters, by its own reader. What it cannot do honestly it refuses, and its answers name it in `provider`.
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { isUuid, uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { SiteMapper } from '../sites/map.ts'
import type { CrawledPage, Crawler, CrawlWish } from './crawl.ts'
import type { CrawlStore } from './crawl-store.ts'
import type { PageReader, ReadContext, StandInFormat } from './page.ts'
import { admitTo, refuseForeign } from './refusals.ts'

const provider = 'embedded'
const ownFormats: readonly string[] = [
  'markdown',
  'html',
  'rawHtml',
  'links',
] satisfies StandInFormat[]
const mapPagesMax = 1_000
const depthDefault = 10
const syncCrawlMs = 90_000
/** A crawl in the background ends after so long with what it has. */
const backgroundCrawlMs = 20 * 60_000

interface ScrapeInput {
  readonly url: string
  readonly formats: readonly string[]
  readonly onlyMainContent?: boolean | undefined
  readonly waitFor?: number | undefined
  readonly renderJs?: boolean | null | undefined
  readonly stealth?: boolean | undefined
  readonly country?: string | undefined
  readonly jsonSchema?: unknown
}
interface CrawlInput {
  readonly url: string
  readonly limit?: number
  readonly maxPages?: number
  readonly maxDepth?: number
}

export interface RenderStandIns {
  readonly standIns: StandIns
  /** Stops the crawls in the background; others take them over. */
  close(): Promise<void>
}

export function createStandIns(room: {
  readonly reader: PageReader
  readonly crawler: Crawler
  readonly mapper: SiteMapper
  readonly guard: EgressGuard
  readonly store: CrawlStore
  readonly clock: Clock
  readonly log: Log
}): RenderStandIns {
  const { reader, crawler, mapper, guard, store, clock, log } = room
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  const admit = admitTo(guard)
  const checkScrape = (namespace: string) => (input: ScrapeInput) => {
    admit(input)
    refuseBeyondUs(input, namespace)
  }

  async function scrape(context: RunContext<ScrapeInput>) {
    const { url, formats, onlyMainContent = true, waitFor = 0, renderJs } = context.input
    const scripts = renderJs === false ? 'never' : renderJs || waitFor > 0 ? 'always' : 'as needed'
    const wish = { url, mainContent: onlyMainContent, scripts } as const
    const { page } = await reader.read({ ...wish, formats: formats as StandInFormat[] }, context)
    const warning =
      'This gateway’s own browser waits until the page has settled, however long waitFor is.'
    return { ...page, ...(waitFor > 0 && { warning }), provider }
  }

  async function map({ input, caller, signal }: RunContext<{ url: string }>) {
    const site = await mapper.mapSite({
      ...{ seed: input.url, maxPages: mapPagesMax, signal },
      owner: caller.accountId,
    })
    if (!site.sources.some(({ status }) => status === 'read')) throw unanswered(input.url)
    return { links: site.urls.map((url) => ({ url })), provider }
  }

  async function crawlNow(context: RunContext<CrawlInput>) {
    const { input } = context
    const pages: CrawledPage[] = []
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(syncCrawlMs)])
    const onPage = async (page: CrawledPage) => void pages.push(page)
    await crawler.crawl(toWish(input), { ...context, signal }, { saved: [], onPage })
    context.signal.throwIfAborted()
    const data = pages.flatMap(({ page }) => page ?? [])
    if (data.length === 0) throw unanswered(input.url)
    const status = signal.aborted ? 'cancelled' : 'completed'
    const counts = { total: pages.length, completed: data.length }
    return { id: uuidv7(clock.now()), status, ...counts, data, provider }
  }

  async function launchCrawl(context: RunContext<CrawlInput>) {
    const id = uuidv7(clock.now())
    await store.create(id, toWish(context.input))
    goOn(id, context)
    return { id, provider }
  }

  async function crawlStatus(context: RunContext<{ id: string }>) {
    const { id } = context.input
    if (isUuid(id) && (await store.takeOver(id))) goOn(id, context)
    const crawl = isUuid(id) ? await store.find(id) : undefined
    if (crawl === undefined) {
      throw fail('not_found', { message: 'This crawl was forgotten. Nothing was charged.' })
    }
    const data = crawl.pages.flatMap(({ page }) => page ?? [])
    const counts = { total: crawl.pages.length, completed: data.length }
    return { id, status: crawl.state, ...counts, data, provider }
  }

  /** Works on a crawl after its call has been answered. What is saved is not read again. */
  function goOn(id: string, { caller, call, available }: ReadContext) {
    const work = async () => {
      const crawl = await store.find(id)
      if (crawl === undefined) return
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(backgroundCrawlMs)])
      const pages = [...crawl.pages]
      const onPage = async (page: CrawledPage) => {
        pages.push(page)
        await store.save(id, page)
      }
      const context = { signal, caller, call, available, record: () => {} }
      await crawler.crawl(crawl.wish, context, { saved: crawl.pages, onPage })
      if (stopping.signal.aborted) return
      await store.end(id, pages.some(({ page }) => page !== null) ? 'completed' : 'failed')
    }
    const done = work()
      .catch((error) => log.warn({ err: error, id }, 'A crawl stopped; it will be taken up again.'))
      .finally(() => running.delete(done))
    running.add(done)
  }

  return {
    standIns: new Map<string, StandIn>([
      ['ns_render_a/scrape', { run: scrape, check: checkScrape('ns_render_a') }],
      ['ns_render_b/scrape', { run: scrape, check: checkScrape('ns_render_b') }],
      ['ns_render_a/map', { run: map, check: admit }],
      ['ns_render_b/map', { run: map, check: admit }],
      ['ns_render_a/crawl', { run: crawlNow, check: admit }],
      ['ns_render_b/crawl', { run: launchCrawl, check: admit }],
      ['ns_render_b/crawl_status', { run: crawlStatus, check: () => {} }],
    ]),
    async close() {
      stopping.abort(new Error('The gateway is stopping.'))
      await Promise.all(running)
    },
  }
}

const toWish = ({ url, limit, maxPages, maxDepth = depthDefault }: CrawlInput): CrawlWish => ({
  url,
  pagesMax: limit ?? maxPages ?? 1,
  depthMax: maxDepth,
})

const unanswered = (url: string) =>
  fail('all_blocked', { message: `No page of ${url} could be read. Nothing was charged.` })

/** Formats that need a model or a picture, and ways around walls, are the vendor’s alone. */
function refuseBeyondUs(input: ScrapeInput, namespace: string) {
  const foreign = [
    ...input.formats.filter((format) => !ownFormats.includes(format)),
    ...(input.jsonSchema === undefined ? [] : ['jsonSchema']),
    ...(input.stealth ? ['stealth'] : []),
    ...(input.country === undefined ? [] : ['country']),
  ]
  refuseForeign(foreign, namespace)
}
