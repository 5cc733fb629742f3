// The pages of a site, from what it publishes about itself and from the links of a few of its pages. It asks for a
// bounded number of files, gently, and what it has when its time is over is the map.
import { setImmediate as turn } from 'node:timers/promises'
import type { Log } from '#core/ports.ts'
import type { EgressFetcher } from '#platform/egress/fetcher.ts'
import { isSocial, normalizeUrl } from '../actions/intake.ts'
import type { PageRoom } from '../pages/page-room.ts'
import {
  type CandidateOrigin,
  type Candidates,
  candidatesMax,
  createCandidates,
  siteOf,
} from './candidates.ts'
import { createUrlFilter } from './glob.ts'
import { createMapFetch, type MapFetch, type MapSource, sitemapBytesMax } from './map-fetch.ts'
import type { Politeness } from './politeness.ts'
import type { RobotsCache } from './robots-cache.ts'
import { createUrlWords } from './url-words.ts'

export interface SiteMapRequest {
  readonly seed: string
  /** Of the map, the seed included. */
  readonly maxPages: number
  /** Globs; the seed need not fit them. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** Words: only pages whose address contains one of them, those with the most first. */
  readonly search?: string | undefined
  readonly signal: AbortSignal
  /** The account that pays. */
  readonly owner: string
  /** A job, which waits for its place as long as its signal allows. */
  readonly isPatient?: boolean
}

export interface SiteMap {
  /** Normalised; the seed first, then those with the most searched words, then shallow pages before deep ones. */
  readonly urls: readonly string[]
  /** How many pages there would have been without `maxPages`, as far as it was looked. */
  readonly found: number
  /** What was asked for on the way, in that order. */
  readonly sources: readonly MapSource[]
}

export interface SiteMapper {
  /**
   * Throws CallError: `bad_url`, or `bad_request` for the globs; else the reason of the signal. The map of a site that
   * does not answer is its seed, with no source that was read.
   */
  mapSite(request: SiteMapRequest): Promise<SiteMap>
}

export interface SiteMapperOptions {
  readonly fetcher: EgressFetcher
  readonly robots: RobotsCache
  readonly politeness: Politeness
  readonly room: PageRoom
  readonly log: Log
  readonly userAgent: string
  readonly deadlineMs?: number
  /** For one file. */
  readonly timeoutMs?: number
}

/** Asked for at once; how soon after each other is for the site to say. */
const filesAtOnce = 2
export const sitemapFilesMax = 50
/** An index may name indexes that name indexes that name sitemaps. */
export const sitemapNestingMax = 3
/** Sitemaps may stand on another host, and a hostile site may name any. */
export const foreignSitemapsMax = 5
/** Addresses in sitemaps that are looked at, wanted or not. */
export const addressesMax = 200_000
/** Pages fetched for their links, besides the seed. */
export const hopPagesMax = 25
const deadlineMs = 45_000
/** Candidates that are compared with robots.txt, and how many between two turns of the event loop. */
const judgedMax = 2_000
const judgedAtOnce = 5
/** For the rules that are still to be fetched when the time is over. */
const lastRulesMs = 3_000

export function createSiteMapper(options: SiteMapperOptions): SiteMapper {
  return {
    async mapSite(request) {
      const fits = createUrlFilter(request)
      const words = createUrlWords(request.search)
      const wants = (url: string) => fits(url) && words.fits(url)
      const seed = normalizeUrl(request.seed)
      const places = await options.room.enter({ ...request, pages: filesAtOnce })
      const deadline = AbortSignal.timeout(options.deadlineMs ?? deadlineMs)
      const signal = AbortSignal.any([request.signal, deadline])
      const sites = new Set([siteOf(seed)])
      const candidates = createCandidates({ seed, sites, wants })
      const judge = createJudge(candidates, options.robots)
      const trip: Trip = {
        seed,
        sites,
        candidates,
        judge,
        signal,
        maxPages: request.maxPages,
        robots: options.robots,
        fetch: createMapFetch({ ...options, signal }),
        sources: [],
      }
      try {
        await places.hold(sitemapBytesMax)
        // The seed alone needs no request.
        if (request.maxPages > 1) await travel(trip)
      } catch (thrown) {
        request.signal.throwIfAborted()
        if (!deadline.aborted) throw thrown
      } finally {
        places.leave()
      }
      await weedLast(judge, request.signal)
      return {
        urls: [seed, ...words.rank(judge.allowed())].slice(0, request.maxPages),
        found: candidates.size + 1,
        sources: trip.sources,
      }
    },
  }
}

async function travel(trip: Trip): Promise<void> {
  const home = await visitSeed(trip)
  await visitSitemaps(trip, home)
  await visitPages(trip)
}

/** What came in the last moments has to be judged too, by the rules that are at hand or soon will be. */
async function weedLast(judge: Judge, signal: AbortSignal): Promise<void> {
  const last = AbortSignal.timeout(lastRulesMs)
  try {
    await judge.weed(AbortSignal.any([signal, last]))
  } catch (thrown) {
    signal.throwIfAborted()
    if (!last.aborted) throw thrown
  }
}

/** Whether anything of the site was read. */
export const hasAnswered = ({ sources }: Pick<SiteMap, 'sources'>): boolean =>
  sources.some(({ status }) => status === 'read')

interface Trip {
  readonly seed: string
  readonly sites: Set<string>
  readonly candidates: Candidates
  readonly judge: Judge
  readonly signal: AbortSignal
  readonly maxPages: number
  readonly robots: RobotsCache
  readonly fetch: MapFetch
  readonly sources: MapSource[]
}

/** Reads the links of the seed; returns the address of the page it turned out to be. */
async function visitSeed(trip: Trip): Promise<string> {
  const { seed, sites, candidates, fetch, sources } = trip
  let page = await fetch.page(seed)
  sources.push(page.source)
  acceptHome(trip, page.finalUrl)
  // A page that only sends its readers on is as good as a redirect.
  const target = page.links.length === 0 ? page.refresh : undefined
  if (target !== undefined && sites.has(siteOf(target))) {
    candidates.add(target, 'link')
    page = await fetch.page(target)
    sources.push(page.source)
  }
  addAll(candidates, [...page.links, page.refresh], 'link')
  return page.finalUrl ?? seed
}

/** A seed that redirects to another host means that host as well; its last address does not count as a second page. */
function acceptHome({ seed, sites, candidates }: Trip, finalUrl: string | undefined): void {
  if (finalUrl === undefined || isSocial(new URL(finalUrl).hostname)) return
  sites.add(siteOf(finalUrl))
  if (finalUrl !== seed) candidates.drop(finalUrl)
}

interface FoundInSitemap {
  readonly source: MapSource
  readonly pages: readonly string[]
  readonly sitemaps: readonly string[]
}

async function visitSitemaps(trip: Trip, home: string): Promise<void> {
  const { candidates, fetch, sites, sources, signal } = trip
  const seen = new Set<string>()
  let foreign = 0
  let addresses = 0

  /** Whether the sitemap is to be read: once, and from few other hosts. */
  function isNew(address: string): boolean {
    if (seen.has(address) || seen.size >= sitemapFilesMax) return false
    if (!sites.has(siteOf(address))) {
      if (foreign >= foreignSitemapsMax) return false
      foreign += 1
    }
    seen.add(address)
    return true
  }

  async function visit(url: string): Promise<FoundInSitemap> {
    const pages = new Set<string>()
    const sitemaps = new Set<string>()
    const source = await fetch.sitemap(url, {
      page(address) {
        addresses += 1
        const page = resolveHttp(address, url)
        if (page !== undefined && candidates.accepts(page)) pages.add(page)
      },
      sitemap(address) {
        addresses += 1
        const sitemap = resolveHttp(address, url)
        if (sitemap !== undefined && sitemaps.size < sitemapFilesMax) sitemaps.add(sitemap)
      },
      done: () => signal.aborted || addresses >= addressesMax || pages.size >= candidatesMax,
    })
    return { source, pages: [...pages], sitemaps: [...sitemaps] }
  }

  let level = (await firstSitemaps(trip, home)).filter(isNew)
  for (let depth = 0; depth <= sitemapNestingMax && level.length > 0; depth += 1) {
    const next: string[] = []
    for (const batch of batches(level)) {
      if (candidates.full || addresses >= addressesMax) return
      for (const { source, pages, sitemaps } of await Promise.all(batch.map(visit))) {
        sources.push(source)
        addAll(candidates, pages, 'sitemap')
        if (depth < sitemapNestingMax) next.push(...sitemaps.filter(isNew))
      }
    }
    level = next
  }
}

/** Those that robots.txt names, which is leave to read them, and those that stand where sitemaps usually do. */
async function firstSitemaps(
  { seed, robots, signal }: Trip,
  home: string,
): Promise<readonly string[]> {
  const origins = [...new Set([new URL(home).origin, new URL(seed).origin])]
  const named: string[] = []
  const usual: string[] = []
  for (const origin of origins) {
    const rules = await robots.rulesFor(origin, signal)
    named.push(...rules.sitemaps.flatMap((address) => resolveHttp(address, `${origin}/`) ?? []))
    usual.push(
      ...['/sitemap.xml', '/sitemap_index.xml']
        .map((path) => `${origin}${path}`)
        .filter((url) => rules.allows(url)),
    )
  }
  return [...named, ...usual]
}

/**
 * One hop further, while there are fewer pages than wanted: the links of the pages found so far, shallow ones first.
 */
async function visitPages(trip: Trip): Promise<void> {
  const { candidates, fetch, judge, maxPages, signal, sites, sources } = trip
  const visit = (url: string) => fetch.page(url, (target) => sites.has(siteOf(target)))
  await judge.weed(signal)
  const isEnough = () => candidates.size + 1 >= maxPages
  const visited = new Set(sources.map(({ url }) => url))
  const pages = judge.allowed().filter((url) => !visited.has(url))
  for (const batch of batches(pages.slice(0, hopPagesMax))) {
    if (isEnough()) return
    for (const page of await Promise.all(batch.map(visit))) {
      const { source, finalUrl, isPage, links, refresh } = page
      sources.push(source)
      if (!isPage) candidates.drop(source.url)
      else if (finalUrl === undefined || candidates.move(source.url, finalUrl))
        addAll(candidates, [...links, refresh], 'link')
    }
    await judge.weed(signal)
  }
}

interface Judge {
  /** Drops the candidates that robots.txt closes. */
  weed(signal: AbortSignal): Promise<void>
  /** Those that were judged and stay. */
  allowed(): readonly string[]
}

function createJudge(candidates: Candidates, robots: RobotsCache): Judge {
  const judged = new Set<string>()
  return {
    async weed(signal) {
      const waiting = candidates.ordered().filter((url) => !judged.has(url))
      for (const [place, url] of waiting.entries()) {
        if (judged.size >= judgedMax) return
        if (place % judgedAtOnce === judgedAtOnce - 1) await turn()
        const rules = await robots.rulesFor(url, signal)
        judged.add(url)
        if (!rules.allows(url)) candidates.drop(url)
      }
    },
    allowed: () => candidates.ordered().filter((url) => judged.has(url)),
  }
}

function addAll(
  candidates: Candidates,
  addresses: readonly (string | undefined)[],
  origin: CandidateOrigin,
): void {
  for (const address of addresses) if (address !== undefined) candidates.add(address, origin)
}

function* batches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let index = 0; index < items.length; index += filesAtOnce)
    yield items.slice(index, index + filesAtOnce)
}

function resolveHttp(address: string, base: string): string | undefined {
  const url = URL.parse(address, base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined
}
