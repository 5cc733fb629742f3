// Reads a site from one page along its links, a few pages at a time, as its robots.txt allows.
import { keyOf, siteOf } from '../sites/candidates.ts'
import type { Politeness } from '../sites/politeness.ts'
import type { RobotsCache } from '../sites/robots-cache.ts'
import type { PageReader, ReadContext, StandInPage } from './page.ts'

export interface CrawlWish {
  readonly url: string
  readonly pagesMax: number
  /** Links to follow from the first page. */
  readonly depthMax: number
}

/** A page that was tried. `page` is null when it could not be read. */
export interface CrawledPage {
  readonly url: string
  readonly depth: number
  readonly page: StandInPage | null
  readonly links: readonly string[]
}

export interface Crawler {
  /** Passes on each page as it is read. Resolves when no page is left, or when the signal is aborted. */
  crawl(
    wish: CrawlWish,
    context: ReadContext,
    work: {
      /** The pages of an earlier attempt. */
      readonly saved: readonly CrawledPage[]
      readonly onPage: (page: CrawledPage) => Promise<void>
    },
  ): Promise<void>
}

const pagesAtOnce = 3
/** Addresses that a crawl remembers, read or not. */
const addressesMax = 5_000

export function createCrawler(dependencies: {
  readonly reader: PageReader
  readonly robots: RobotsCache
  readonly politeness: Politeness
}): Crawler {
  const { reader, robots, politeness } = dependencies
  return {
    async crawl(wish, context, { saved, onPage }) {
      const { signal } = context
      const sites = new Set([siteOf(wish.url)])
      const known = new Set(saved.map(({ url }) => keyOf(new URL(url))))
      const waiting: { url: string; depth: number }[] = []
      const consider = (url: string, depth: number) => {
        const fits = depth <= wish.depthMax && sites.has(siteOf(url))
        const key = keyOf(new URL(url))
        if (!fits || known.has(key) || known.size >= addressesMax) return
        known.add(key)
        waiting.push({ url, depth })
      }
      const follow = ({ depth, page, links }: CrawledPage) => {
        const address = page?.metadata.sourceURL
        if (address !== undefined) {
          // When the first page has moved, its new host is the site. The target of a redirect is not a second page.
          if (depth === 0) sites.add(siteOf(address))
          known.add(keyOf(new URL(address)))
        }
        for (const link of links) consider(link, depth + 1)
      }
      consider(wish.url, 0)
      for (const page of saved) follow(page)

      const party = {}
      async function visit({ url, depth }: { url: string; depth: number }): Promise<CrawledPage> {
        const rules = await robots.rulesFor(url, signal)
        if (!rules.allows(url)) return { url, depth, page: null, links: [] }
        const { host } = new URL(url)
        const turn = { host, party, signal, delayMs: rules.crawlDelayMs }
        const formats = ['markdown'] as const
        const how = { formats, mainContent: true, scripts: 'as needed', isPatient: true } as const
        const page = { url, ...how }
        return await politeness
          .run(turn, () => reader.read(page, context))
          .then(
            (read) => ({ url, depth, page: read.page, links: read.links }),
            () => ({ url, depth, page: null, links: [] }),
          )
      }

      let read = saved.filter(({ page }) => page !== null).length
      while (waiting.length > 0 && read < wish.pagesMax && !signal.aborted) {
        const next = waiting.splice(0, Math.min(pagesAtOnce, wish.pagesMax - read))
        for (const page of await Promise.all(next.map(visit))) {
          if (signal.aborted) return
          if (page.page !== null) read += 1
          follow(page)
          await onPage(page)
        }
      }
    },
  }
}
