// One map's way to its files: each asked for in its turn, as often as robots.txt allows, and all of them together within
// limits on number, bytes and time.

import { decodeText, documentKind, type PageLinks, readLinks } from '@tollway/reader'
import type { Log } from '#core/ports.ts'
import { acceptEncoding } from '#platform/egress/body.ts'
import type { EgressFetcher, EgressReply } from '#platform/egress/fetcher.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import type { Politeness } from './politeness.ts'
import type { RobotsCache } from './robots-cache.ts'
import { inflatedBytesMax, readSitemap, type SitemapVisitor } from './sitemap.ts'

export interface MapSource {
  readonly url: string
  readonly kind: 'sitemap' | 'page'
  /** `refused`: robots.txt says no. `failed`: no answer, or none within the limits. */
  readonly status: 'read' | 'missing' | 'refused' | 'failed'
}

export interface FetchedPage extends PageLinks {
  readonly source: MapSource
  /** Where the redirects ended; undefined without an answer. */
  readonly finalUrl: string | undefined
  /** Whether there is a page to be read, as far as it is known. */
  readonly isPage: boolean
}

export interface MapFetch {
  /** A redirect to what is none of the map's is not followed; the page is then none of its pages. */
  page(url: string, isOfMap?: (target: string) => boolean): Promise<FetchedPage>
  sitemap(url: string, visitor: SitemapVisitor): Promise<MapSource>
}

/** Of a longer file the beginning counts. */
export const sitemapBytesMax = 10_000_000
export const linkPageBytesMax = 2_000_000
/** Of all files of one map together: as they came, and as they were inflated. */
export const mapBytesMax = 100_000_000
export const mapInflatedBytesMax = 100_000_000
const fetchTimeoutMs = 8_000

export function createMapFetch(options: {
  readonly fetcher: EgressFetcher
  readonly robots: RobotsCache
  readonly politeness: Politeness
  readonly log: Log
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
}): MapFetch {
  const { fetcher, robots, politeness, log, signal } = options
  const party = {}
  let bytesLeft = mapBytesMax
  let inflatedBytesLeft = mapInflatedBytesMax

  /** Undefined when there is no answer; `closed` when it leads to what is not to be read. Throws only the reason of the signal. */
  async function ask(
    url: string,
    bytesMax: number,
    delayMs: number | undefined,
    isOfMap: (target: string) => boolean = () => true,
  ): Promise<EgressReply | 'closed' | undefined> {
    // Taken before, so that files that arrive at once stay within the limit together.
    const share = Math.min(bytesMax, bytesLeft)
    if (share === 0) return undefined
    bytesLeft -= share
    const fetchFile = () =>
      fetcher.fetch({
        url,
        headers: {
          'user-agent': options.userAgent,
          accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
          'accept-encoding': acceptEncoding,
        },
        bytesMax: share,
        beyond: 'cut',
        timeoutMs: options.timeoutMs ?? fetchTimeoutMs,
        signal,
        async admitRedirect(target) {
          if (!isOfMap(target) || !(await robots.rulesFor(target, signal)).allows(target))
            throw new EgressRefusal('robots', `${url} leads to what is not to be read.`)
        },
      })
    try {
      const { host } = new URL(url)
      const reply = await politeness.run({ host, party, delayMs, signal }, fetchFile)
      bytesLeft += share - reply.body.length
      return reply
    } catch (thrown) {
      signal.throwIfAborted()
      log.debug({ url, err: thrown }, 'A file of a site map could not be fetched.')
      // A failed fetch may have received any part of the body, unless no request was sent.
      if (!(thrown instanceof EgressRefusal)) return undefined
      bytesLeft += share
      return thrown.reason === 'robots' ? 'closed' : undefined
    }
  }

  return {
    async page(url, isOfMap = () => true) {
      const rules = await robots.rulesFor(url, signal)
      const source = (status: MapSource['status']): MapSource => ({ url, kind: 'page', status })
      const nothing = { links: [], refresh: undefined, finalUrl: undefined, isPage: true }
      if (!rules.allows(url)) return { ...nothing, source: source('refused') }
      const reply = await ask(url, linkPageBytesMax, rules.crawlDelayMs, isOfMap)
      if (reply === undefined) return { ...nothing, source: source('failed') }
      if (reply === 'closed') return { ...nothing, isPage: false, source: source('refused') }
      const { url: finalUrl, status, headers, body } = reply
      const type = headers['content-type']
      if (status >= 400)
        // Gone is gone; what is merely closed to us, one of the dearer rungs may open.
        return { ...nothing, finalUrl, isPage: !isGone(status), source: source('missing') }
      if (documentKind(type, body) !== undefined)
        return { ...nothing, finalUrl, isPage: false, source: source('read') }
      if (!isHtml(type)) return { ...nothing, finalUrl, source: source('read') }
      const links = readLinks(decodeText(body, type).text, finalUrl)
      return { ...links, finalUrl, isPage: true, source: source('read') }
    },

    async sitemap(url, visitor) {
      const source = (status: MapSource['status']): MapSource => ({ url, kind: 'sitemap', status })
      const rules = await robots.rulesFor(url, signal)
      const reply = await ask(url, sitemapBytesMax, rules.crawlDelayMs)
      if (reply === undefined) return source('failed')
      if (reply === 'closed') return source('refused')
      if (reply.status >= 400) return source('missing')
      const share = Math.min(inflatedBytesMax, inflatedBytesLeft)
      inflatedBytesLeft -= share
      const inflated = await readSitemap(reply.body, visitor, share)
      inflatedBytesLeft += share - inflated
      return source('read')
    },
  }
}

function isGone(status: number): boolean {
  return status === 404 || status === 410
}

function isHtml(contentType: string | undefined): boolean {
  return (
    contentType === undefined || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)
  )
}
