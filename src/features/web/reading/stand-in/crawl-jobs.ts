// The crawls of this machine: one that answers when it is done, and one that is launched and asked for its status.
import type { RunContext } from '#core/action.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import { createBackgroundJobs } from './background.ts'
import type { CrawledPage, Crawler, CrawlWish } from './crawl.ts'
import type { CrawlStore } from './crawl-store.ts'
import type { ReadContext } from './page.ts'
import { provider, unanswered } from './refusals.ts'

const depthDefault = 10
const syncCrawlMs = 90_000
/** A crawl in the background then ends with the pages it has. */
const backgroundCrawlMs = 20 * 60_000

export interface CrawlInput {
  readonly url: string
  readonly limit?: number
  readonly maxPages?: number
  readonly maxDepth?: number
}

export function createCrawlJobs(dependencies: {
  readonly crawler: Crawler
  readonly store: CrawlStore
  readonly clock: Clock
  readonly log: Log
}) {
  const { crawler, store, clock, log } = dependencies
  const jobs = createBackgroundJobs({
    subject: ['A', 'crawl'],
    timeoutMs: backgroundCrawlMs,
    store,
    resume,
    log,
  })

  /** Pages that are saved are not read again. */
  async function resume(id: string, context: ReadContext): Promise<void> {
    const crawl = await store.find(id)
    if (crawl === undefined) return
    const pages = [...crawl.pages]
    const onPage = async (page: CrawledPage) => {
      pages.push(page)
      await store.save(id, page)
    }
    await crawler.crawl(crawl.wish, context, { saved: crawl.pages, onPage })
    if (jobs.stopping) return
    await store.end(id, contentOf(pages).length > 0 ? 'completed' : 'failed')
  }

  return {
    async run(context: RunContext<CrawlInput>) {
      const { input } = context
      const pages: CrawledPage[] = []
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(syncCrawlMs)])
      const onPage = async (page: CrawledPage) => void pages.push(page)
      await crawler.crawl(toWish(input), { ...context, signal }, { saved: [], onPage })
      context.signal.throwIfAborted()
      if (contentOf(pages).length === 0) throw unanswered(input.url)
      const status = signal.aborted ? 'cancelled' : 'completed'
      return { id: uuidv7(clock.now()), status, ...progressOf(pages), provider }
    },

    async launch(context: RunContext<CrawlInput>) {
      const id = uuidv7(clock.now())
      await store.create(id, toWish(context.input))
      jobs.start(id, context)
      return { id, provider }
    },

    async status(context: RunContext<{ id: string }>) {
      const { id } = context.input
      const { state, pages } = await jobs.find(id, context)
      return { id, status: state, ...progressOf(pages), provider }
    },

    close: jobs.close,
  }
}

const toWish = ({ url, limit, maxPages, maxDepth = depthDefault }: CrawlInput): CrawlWish => ({
  url,
  pagesMax: limit ?? maxPages ?? 1,
  depthMax: maxDepth,
})

const contentOf = (pages: readonly CrawledPage[]) => pages.flatMap(({ page }) => page ?? [])

function progressOf(pages: readonly CrawledPage[]) {
  const data = contentOf(pages)
  return { total: pages.length, completed: data.length, data }
}
