// Page reading: the ladder that turns addresses into content, and the actions that sell it.
import type { Action } from '#core/action.ts'
import type { StandIns } from '#core/catalog.ts'
import type { ModelRouter } from '#core/model-router.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { createEgressFetcher, type EgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { WaysOut } from '#platform/egress/operator-proxies.ts'
import type { Renderers } from './browsers/renderers.ts'
import { createLadder } from './ladder/ladder.ts'
import type { Memory } from './ladder/memory.ts'
import { createOwnRungs } from './ladder/own-rungs.ts'
import type { OwnPages } from './ladder/rungs.ts'
import { createVendorRungs } from './ladder/vendor-rungs.ts'
import { createOnescrape } from './onescrape.ts'
import { createOnescrapeDeep } from './onescrape-deep.ts'
import { createPageRoom } from './pages/page-room.ts'
import { createPageWorkers } from './pages/page-workers.ts'
import { createWallCheck, type WallCheck } from './pages/wall-check.ts'
import { createSiteMapper } from './sites/map.ts'
import { createPoliteness } from './sites/politeness.ts'
import { createRobotsCache } from './sites/robots-cache.ts'
import { createCrawler } from './stand-in/crawl.ts'
import { createCrawlStore } from './stand-in/crawl-store.ts'
import { createExtractor } from './stand-in/extract/extractor.ts'
import { createExtractions, extractionsWithoutModel } from './stand-in/extract/stand-ins.ts'
import { createExtractionStore } from './stand-in/extract/store.ts'
import { createPageReader } from './stand-in/page.ts'
import { createProxiedStandIns } from './stand-in/proxied.ts'
import { createStandIns } from './stand-in/stand-ins.ts'

export interface Reading {
  readonly actions: readonly Action[]
  /** What it does in place of vendors whose keys are missing: crawls with a database, others by the operator's proxies. */
  readonly standIns: StandIns
  readonly isWall: WallCheck
  /** Ends what reading started, the renderers included. */
  close(): Promise<void>
}

export function createReading(options: {
  readonly guard: EgressGuard
  readonly renderers: Renderers
  /** The operator's proxies. */
  readonly waysOut?: WaysOut
  readonly clock: Clock
  readonly log: Log
  /** What was learnt of hosts; without it every host is new. */
  readonly memory?: Memory | undefined
  /** The namespace of the actions, for sentences that name one of them. */
  readonly ownNamespace: string
  readonly userAgent: string
  /** The gateway's public pages, which are read without a connection: the guard lets none lead here. */
  readonly ownPages?: OwnPages
  readonly fetcher?: EgressFetcher
  /** Where crawls and extractions in place of a vendor are kept. */
  readonly database?: Database
  /** Asked for data out of pages in place of a vendor. Without it, or without a model, nothing is extracted here. */
  readonly router?: ModelRouter
}): Reading {
  const { guard, renderers, waysOut = {}, clock, log, userAgent } = options
  const fetcher = options.fetcher ?? createEgressFetcher({ guard })
  const workers = createPageWorkers()
  const { ownPages = () => undefined } = options
  const own = createOwnRungs({ guard, fetcher, renderers, waysOut, clock, ownPages })
  // At each position this machine goes first: it costs the operator nothing, or least.
  const rungs = [...own.rungs, ...createVendorRungs({ clock })].sort(
    (one, other) => one.position - other.position,
  )
  const room = createPageRoom()
  const ladder = createLadder({ rungs, workers, room, clock, log, memory: options.memory })
  const politeness = createPoliteness({ clock })
  const robots = createRobotsCache({ fetcher, clock, log, userAgent })
  const mapper = createSiteMapper({ fetcher, robots, politeness, room, log, userAgent })
  const reader = createPageReader({
    workers,
    room,
    clock,
    log,
    direct: own.direct,
    proxied: own.proxied,
  })
  const crawler = createCrawler({ reader, robots, politeness })
  const renderStandIns =
    options.database &&
    createStandIns({
      ...{ reader, crawler, mapper, guard, clock, log },
      store: createCrawlStore(options.database),
    })
  const { router, database } = options
  const extractions =
    router !== undefined && database !== undefined && router.offers().length > 0
      ? createExtractions({
          ...{ reader, guard, clock, log },
          extractor: createExtractor({ router }),
          store: createExtractionStore(database),
        })
      : undefined
  const throughProxies = createProxiedStandIns({
    ...{ reader, guard },
    ways: Object.keys(own.proxied) as (keyof typeof own.proxied)[],
  })
  return {
    isWall: createWallCheck(workers),
    standIns: new Map([
      ...(renderStandIns?.standIns ?? []),
      ...(extractions?.standIns ?? extractionsWithoutModel),
      ...throughProxies,
    ]),
    actions: [
      createOnescrape({
        ladder,
        guard,
        ownPages,
        deepAction: `${options.ownNamespace}/onescrape-deep`,
      }),
      createOnescrapeDeep({ ladder, guard, mapper, politeness, robots }),
    ],
    async close() {
      await Promise.all([renderStandIns?.close(), extractions?.close()])
      await Promise.all([renderers.close(), own.close(), fetcher.close(), workers.close()])
    },
  }
}
