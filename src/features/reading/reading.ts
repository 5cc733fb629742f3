// Page reading: the ladder that turns addresses into content, and the actions that sell it.
import type { Action } from '#core/action.ts'
import type { Clock, Log } from '#core/ports.ts'
import { createEgressFetcher, type EgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { createLadder } from './ladder.ts'
import type { Memory } from './memory.ts'
import { createOnescrape } from './onescrape.ts'
import { createOnescrapeDeep } from './onescrape-deep.ts'
import { createPageWorkers } from './page-workers.ts'
import type { Renderer } from './render.ts'
import { createRungs } from './rungs.ts'
import { createSiteMapper } from './sites/map.ts'
import { createPoliteness } from './sites/politeness.ts'
import { createRobotsCache } from './sites/robots-cache.ts'
import { createVendorRungs } from './vendor-rungs.ts'

export interface Reading {
  readonly actions: readonly Action[]
  /** Ends what reading started, the renderer included. */
  close(): Promise<void>
}

export function createReading(options: {
  readonly guard: EgressGuard
  readonly renderer: Renderer
  readonly clock: Clock
  readonly log: Log
  /** What was learnt of hosts; without it every host is new. */
  readonly memory?: Memory | undefined
  /** The namespace of the actions, for sentences that name one of them. */
  readonly ownNamespace: string
  readonly userAgent: string
  readonly fetcher?: EgressFetcher
}): Reading {
  const { guard, renderer, clock, log, userAgent } = options
  const fetcher = options.fetcher ?? createEgressFetcher({ guard })
  const workers = createPageWorkers()
  const rungs = createRungs({ fetcher, renderer, vendorRungs: createVendorRungs() })
  const ladder = createLadder({ rungs, workers, clock, log, memory: options.memory })
  const politeness = createPoliteness({ clock })
  const robots = createRobotsCache({ fetcher, clock, log, userAgent })
  const mapper = createSiteMapper({ fetcher, robots, politeness, log, userAgent })
  return {
    actions: [
      createOnescrape({ ladder, guard, deepAction: `${options.ownNamespace}/onescrape-deep` }),
      createOnescrapeDeep({ ladder, guard, mapper, politeness }),
    ],
    async close() {
      await Promise.all([renderer.close(), fetcher.close(), workers.close()])
    },
  }
}
