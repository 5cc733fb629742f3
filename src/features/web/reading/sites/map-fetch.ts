// Fetches the files of one site map: each on its turn, as often as robots.txt allows, and all of them within limits on
// bytes and time.

import { decodeText, documentKind, type PageLinks, readLinks } from '@tollway/reader'
import type { Log } from '#core/ports.ts'
import { addressForLog } from '#core/web-address.ts'
import { acceptEncoding } from '#platform/egress/body.ts'
import type { EgressFetcher, EgressReply, EgressRequest } from '#platform/egress/fetcher.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import type { Politeness } from './politeness.ts'
import type { RobotsCache } from './robots-cache.ts'
import { inflatedBytesMax, readSitemap, type SitemapVisitor } from './sitemap.ts'

export interface MapSource {
  readonly url: string
  readonly kind: 'sitemap' | 'page'
  /** `refused`: robots.txt forbids it. `failed`: no answer within the limits. */
  readonly status: 'read' | 'missing' | 'refused' | 'failed'
}

export interface FetchedPage extends PageLinks {
  readonly source: MapSource
  /** The address after redirects; undefined without an answer. */
  readonly finalUrl: string | undefined
  /** False when the address is known to have no readable page. */
  readonly isPage: boolean
}

export interface MapFetch {
  /** Follows redirects only to addresses of the map. A page that redirects elsewhere is `refused`. */
  page(url: string, isOfMap?: (target: string) => boolean): Promise<FetchedPage>
  sitemap(url: string, visitor: SitemapVisitor): Promise<MapSource>
}

/** Only the beginning of a longer file is read. */
export const sitemapBytesMax = 10_000_000
export const linkPageBytesMax = 2_000_000
/** For all files of one map together, as received and as inflated. */
export const mapBytesMax = 100_000_000
export const mapInflatedBytesMax = 100_000_000
const fetchTimeoutMs = 8_000

type FileAnswer =
  | { readonly status: 'read' | 'missing'; readonly reply: EgressReply }
  /** `refused`: robots.txt or the map forbids the target of a redirect. */
  | { readonly status: 'refused' | 'failed'; readonly reply?: undefined }

interface MapFetchOptions {
  readonly fetcher: EgressFetcher
  readonly robots: RobotsCache
  readonly politeness: Politeness
  readonly log: Log
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly timeoutMs?: number | undefined
}

export function createMapFetch(options: MapFetchOptions): MapFetch {
  const { fetcher, robots, politeness, log, signal } = options
  const party = {}
  const received = createByteAllowance(mapBytesMax)
  const inflated = createByteAllowance(mapInflatedBytesMax)

  const admitRedirects = (from: string, isOfMap: (target: string) => boolean) => {
    return async (target: string) => {
      if (!isOfMap(target) || !(await robots.rulesFor(target, signal)).allows(target))
        throw new EgressRefusal('robots', `${from} redirects to a page that must not be read.`)
    }
  }

  /** Throws only the reason of the signal. */
  async function ask(
    request: Pick<EgressRequest, 'url' | 'admitRedirect'>,
    most: number,
    delayMs: number | undefined,
  ): Promise<FileAnswer> {
    // Reserved before the fetch, so that files that arrive at once stay within the limit together.
    const bytesMax = received.reserve(most)
    if (bytesMax === 0) return { status: 'failed' }
    const timeoutMs = options.timeoutMs ?? fetchTimeoutMs
    const headers = headersFor(options.userAgent)
    const limits = { bytesMax, beyond: 'cut', timeoutMs, signal } as const
    try {
      const { host } = new URL(request.url)
      const reply = await politeness.run({ host, party, delayMs, signal }, () =>
        fetcher.fetch({ ...request, headers, ...limits }),
      )
      received.giveBack(bytesMax - reply.body.length)
      return { status: reply.status >= 400 ? 'missing' : 'read', reply }
    } catch (thrown) {
      signal.throwIfAborted()
      log.debug(
        { url: addressForLog(request.url), err: thrown },
        'A file of a site map could not be fetched.',
      )
      // A failed fetch may have received any part of the body, unless no request was sent.
      if (!(thrown instanceof EgressRefusal)) return { status: 'failed' }
      received.giveBack(bytesMax)
      return { status: thrown.reason === 'robots' ? 'refused' : 'failed' }
    }
  }

  return {
    async page(url, isOfMap = () => true) {
      const rules = await robots.rulesFor(url, signal)
      if (!rules.allows(url)) return { ...pageOf(url, { status: 'refused' }), isPage: true }
      const request = { url, admitRedirect: admitRedirects(url, isOfMap) }
      return pageOf(url, await ask(request, linkPageBytesMax, rules.crawlDelayMs))
    },

    async sitemap(url, visitor) {
      const rules = await robots.rulesFor(url, signal)
      const request = { url, admitRedirect: admitRedirects(url, () => true) }
      const { status, reply } = await ask(request, sitemapBytesMax, rules.crawlDelayMs)
      if (status === 'read') {
        const bytesMax = inflated.reserve(inflatedBytesMax)
        const bytes = await readSitemap(reply.body, visitor, bytesMax)
        inflated.giveBack(bytesMax - bytes)
      }
      return { url, kind: 'sitemap', status }
    },
  }
}

/** The bytes that are left to all files of a map. */
function createByteAllowance(bytes: number) {
  let left = bytes
  return {
    /** Returns what it reserved: `most`, or less when less is left. */
    reserve(most: number): number {
      const reserved = Math.min(most, left)
      left -= reserved
      return reserved
    },
    giveBack(unused: number): void {
      left += unused
    },
  }
}

const headersFor = (userAgent: string) => ({
  'user-agent': userAgent,
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': acceptEncoding,
})

function pageOf(url: string, { status, reply }: FileAnswer): FetchedPage {
  const source = { url, kind: 'page', status } as const
  const page = { source, links: [], refresh: undefined, finalUrl: reply?.url, isPage: true }
  if (reply === undefined) return { ...page, isPage: status !== 'refused' }
  // A costlier rung of the ladder may still read a page that is refused to us. It cannot read one that is gone.
  if (status === 'missing') return { ...page, isPage: !isGone(reply.status) }
  const type = reply.headers['content-type']
  if (documentKind(type, reply.body) !== undefined) return { ...page, isPage: false }
  if (!isHtml(type)) return page
  return { ...page, ...readLinks(decodeText(reply.body, type).text, reply.url) }
}

function isGone(status: number): boolean {
  return status === 404 || status === 410
}

function isHtml(contentType: string | undefined): boolean {
  return (
    contentType === undefined || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)
  )
}
