// Stand-ins for the scraping vendors, used when their keys are missing: the same actions, with the same parameters, by
// our own reader. They refuse what they cannot do honestly, and name themselves in `provider`.
import type { RunContext } from '#core/action.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { hasAnswered, type SiteMapper } from '../sites/map.ts'
import type { Crawler } from './crawl.ts'
import { createCrawlJobs } from './crawl-jobs.ts'
import type { CrawlStore } from './crawl-store.ts'
import type { PageReader, StandInFormat } from './page.ts'
import { admitTo, provider, refuseForeign, unanswered } from './refusals.ts'

const ownFormats: readonly string[] = [
  'markdown',
  'html',
  'rawHtml',
  'links',
] satisfies StandInFormat[]
const mapPagesMax = 1_000

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

export interface RenderStandIns {
  readonly standIns: StandIns
  /** Stops the crawls in the background. Another gateway takes them over. */
  close(): Promise<void>
}

export function createStandIns(dependencies: {
  readonly reader: PageReader
  readonly crawler: Crawler
  readonly mapper: SiteMapper
  readonly guard: EgressGuard
  readonly store: CrawlStore
  readonly clock: Clock
  readonly log: Log
}): RenderStandIns {
  const { reader, mapper, guard } = dependencies
  const scrape = scrapeWith(reader)
  const map = mapWith(mapper)
  const crawls = createCrawlJobs(dependencies)
  const admit = admitTo(guard)
  const checkScrape = (namespace: string) => (input: ScrapeInput) => {
    admit(input)
    refuseBeyondUs(input, namespace)
  }
  return {
    standIns: new Map<string, StandIn>([
      ['ns_render_a/scrape', { run: scrape, check: checkScrape('ns_render_a') }],
      ['ns_render_b/scrape', { run: scrape, check: checkScrape('ns_render_b') }],
      ['ns_render_a/map', { run: map, check: admit }],
      ['ns_render_b/map', { run: map, check: admit }],
      ['ns_render_a/crawl', { run: crawls.run, check: admit }],
      ['ns_render_b/crawl', { run: crawls.launch, check: admit }],
      ['ns_render_b/crawl_status', { run: crawls.status, check: () => {} }],
    ]),
    close: crawls.close,
  }
}

function scrapeWith(reader: PageReader) {
  return async (context: RunContext<ScrapeInput>) => {
    const { url, formats, onlyMainContent = true, waitFor = 0, renderJs } = context.input
    const scripts = renderJs === false ? 'never' : renderJs || waitFor > 0 ? 'always' : 'as needed'
    const wish = { url, mainContent: onlyMainContent, scripts } as const
    const { page } = await reader.read({ ...wish, formats: formats as StandInFormat[] }, context)
    const warning =
      'This gateway’s own browser waits until the page has settled, however long waitFor is.'
    return { ...page, ...(waitFor > 0 && { warning }), provider }
  }
}

function mapWith(mapper: SiteMapper) {
  return async ({ input, caller, signal }: RunContext<{ url: string }>) => {
    const request = { seed: input.url, maxPages: mapPagesMax, signal, owner: caller.accountId }
    const site = await mapper.mapSite(request)
    if (!hasAnswered(site)) throw unanswered(input.url)
    return { links: site.urls.map((url) => ({ url })), provider }
  }
}

/** Only the vendor offers formats that need a model or a picture, and ways around walls. */
function refuseBeyondUs(input: ScrapeInput, namespace: string) {
  const foreign = [
    ...input.formats.filter((format) => !ownFormats.includes(format)),
    ...(input.jsonSchema === undefined ? [] : ['jsonSchema']),
    ...(input.stealth ? ['stealth'] : []),
    ...(input.country === undefined ? [] : ['country']),
  ]
  refuseForeign(foreign, namespace)
}
