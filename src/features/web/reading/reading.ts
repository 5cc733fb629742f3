// Page reading: the ladder that turns addresses into content, the actions that sell it, and stand-ins for vendors.
import { availableParallelism } from 'node:os'
import type { Action } from '#core/action.ts'
import type { StandIns } from '#core/catalog.ts'
import { keysOf } from '#core/input/records.ts'
import type { ModelRouter } from '#core/model-router.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { PageTexts } from '#core/rooms/page-texts.ts'
import type { SiteReader } from '#core/rooms/site-reader.ts'
import type { Database } from '#platform/database/database.ts'
import { createEgressFetcher, type EgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { WaysOut } from '#platform/egress/operator-proxies.ts'
import { createExtract } from './actions/extract.ts'
import { createMap } from './actions/map.ts'
import { createOnescrape } from './actions/onescrape.ts'
import { createScreenshot } from './actions/screenshot.ts'
import type { Renderers } from './browsers/renderers.ts'
import { createOnescrapeDeep } from './deep/onescrape-deep.ts'
import { createSiteReader } from './deep/read-site.ts'
import { createReadDocument } from './documents/read-document.ts'
import { createExtractor, type FieldExtractor } from './extraction/extractor.ts'
import { createUnfilledCalls } from './extraction/unfilled-calls.ts'
import { createLadder } from './ladder/ladder.ts'
import type { Memory } from './ladder/memory.ts'
import { createOwnRungs, type ProxiedRungs } from './ladder/own-rungs.ts'
import type { PageCache } from './ladder/page-cache.ts'
import type { OwnPages } from './ladder/rungs.ts'
import { createVendorRungs } from './ladder/vendor-rungs.ts'
import { createPageTexts } from './page-texts.ts'
import { createPageRoom } from './pages/page-room.ts'
import { createPageWorkers } from './pages/page-workers.ts'
import { createWallCheck, type WallCheck } from './pages/wall-check.ts'
import { createSiteMapper, type SiteMapper } from './sites/map.ts'
import { createPoliteness } from './sites/politeness.ts'
import { createRobotsCache } from './sites/robots-cache.ts'
import { type Crawler, createCrawler } from './stand-in/crawl.ts'
import { createCrawlStore } from './stand-in/crawl-store.ts'
import { createExtractions, extractionsWithoutModel } from './stand-in/extract/stand-ins.ts'
import { createExtractionStore } from './stand-in/extract/store.ts'
import { createPageReader, type PageReader } from './stand-in/page.ts'
import { createProxiedStandIns } from './stand-in/proxied.ts'
import { createStandIns } from './stand-in/stand-ins.ts'

export interface Reading {
  readonly actions: readonly Action[]
  /** Used in place of vendors whose keys are missing. Some need a database, a model or the operator's proxies. */
  readonly standIns: StandIns
  readonly isWall: WallCheck
  /** For actions of other rooms that need the texts of pages. */
  readonly texts: PageTexts
  /** Reads whole sites for other features. */
  readonly siteReader: SiteReader
  /** Closes everything that reading uses, the renderers included. */
  close(): Promise<void>
}

interface ReadingOptions {
  readonly guard: EgressGuard
  readonly renderers: Renderers
  /** What the operator must do before there is a browser. Without it there may be one. */
  readonly browserMissing?: string | undefined
  /** The operator's proxies. */
  readonly waysOut?: WaysOut
  readonly clock: Clock
  readonly log: Log
  /** What was learnt about hosts. Without it every host is new. */
  readonly memory?: Memory | undefined
  /** Pages that callers accept as they were. Without it every page is read anew. */
  readonly cache?: PageCache | undefined
  /** The namespace of the actions, for messages that name one of them. */
  readonly ownNamespace: string
  readonly userAgent: string
  /** The gateway's public pages, which are read without a connection, since the guard refuses one to this machine. */
  readonly ownPages?: OwnPages
  readonly fetcher?: EgressFetcher
  /** Keeps the crawls and extractions of stand-ins. Without it this machine does neither. */
  readonly database?: Database
  /** Extracts data from pages. Without it, or without a model, this machine extracts nothing. */
  readonly router?: ModelRouter
}

/** Each document has a process of its own. */
const documentPlaces = {
  pagesMax: Math.max(2, availableParallelism()),
  pagesPerOwnerMax: Math.max(1, Math.ceil(availableParallelism() / 2)),
  waitMs: 20_000,
}

export function createReading(options: ReadingOptions): Reading {
  const { guard, renderers, browserMissing, waysOut = {}, clock, log, userAgent } = options
  const { ownPages = () => undefined, fetcher = createEgressFetcher({ guard }) } = options
  const workers = createPageWorkers()
  const own = createOwnRungs({ guard, fetcher, renderers, waysOut, clock, ownPages })
  // At each position this machine goes first, since it costs the operator the least.
  const rungs = [...own.rungs, ...createVendorRungs({ clock })].sort(
    (one, other) => one.position - other.position,
  )
  const room = createPageRoom()
  const ladder = createLadder({
    rungs,
    workers,
    room,
    clock,
    log,
    memory: options.memory,
    cache: options.cache,
  })
  const politeness = createPoliteness({ clock })
  const robots = createRobotsCache({ fetcher, clock, log, userAgent })
  const mapper = createSiteMapper({ fetcher, robots, politeness, room, log, userAgent })
  const { direct, proxied } = own
  const reader = createPageReader({ workers, room, clock, log, direct, proxied })
  const crawler = createCrawler({ reader, robots, politeness })
  const hasModel = options.router !== undefined && options.router.offers().length > 0
  const extractor = hasModel ? createExtractor({ router: options.router }) : undefined
  const standIns = createAllStandIns(options, { reader, crawler, mapper, proxied, extractor })
  const deepParts = { ladder, guard, mapper, politeness, robots }
  const deepAction = `${options.ownNamespace}/onescrape-deep`
  return {
    isWall: createWallCheck(workers),
    texts: createPageTexts({ ladder, guard, ownPages, workers }),
    standIns: standIns.standIns,
    siteReader: createSiteReader(deepParts),
    actions: [
      createOnescrape({ ladder, guard, ownPages, deepAction }),
      createOnescrapeDeep(deepParts),
      createMap({ mapper, guard, clock }),
      createExtract({ ladder, guard, extractor, unfilled: createUnfilledCalls({ clock }) }),
      createReadDocument({ guard, fetcher, room: createPageRoom(documentPlaces), log }),
      createScreenshot({
        room,
        guard,
        workers,
        clock,
        log,
        browserMissing,
        camera: renderers.camera,
      }),
    ],
    async close() {
      await standIns.close()
      await Promise.all([renderers.close(), own.close(), fetcher.close(), workers.close()])
    },
  }
}

/** The stand-ins that the options of this gateway allow. */
function createAllStandIns(
  { guard, clock, log, database }: ReadingOptions,
  parts: {
    readonly reader: PageReader
    readonly crawler: Crawler
    readonly mapper: SiteMapper
    readonly proxied: ProxiedRungs
    readonly extractor: FieldExtractor | undefined
  },
) {
  const { reader, crawler, mapper, proxied, extractor } = parts
  const render =
    database &&
    createStandIns({
      reader,
      crawler,
      mapper,
      guard,
      clock,
      log,
      store: createCrawlStore(database),
    })
  const extractions =
    extractor &&
    database &&
    createExtractions({
      reader,
      extractor,
      guard,
      clock,
      log,
      store: createExtractionStore(database),
    })
  const ways = keysOf(proxied)
  return {
    standIns: new Map([
      ...(render?.standIns ?? []),
      ...(extractions?.standIns ?? extractionsWithoutModel),
      ...createProxiedStandIns({ reader, guard, ways }),
    ]),
    async close() {
      await Promise.all([render?.close(), extractions?.close()])
    },
  }
}
