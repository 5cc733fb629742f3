// Page reading: the ladder that turns addresses into content, and the actions that sell it.
import type { Action } from '#core/action.ts'
import type { Clock, Log } from '#core/ports.ts'
import { createEgressFetcher, type EgressFetcher } from '#platform/egress/fetcher.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import { createLadder } from './ladder.ts'
import { createOnescrape } from './onescrape.ts'
import { createPageWorkers } from './page-workers.ts'
import type { Renderer } from './render.ts'
import { createRungs, type Rung } from './rungs.ts'

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
  readonly fetcher?: EgressFetcher
  /** Vendor rungs that the operator has keys for. */
  readonly slots?: readonly Rung[]
}): Reading {
  const { guard, renderer, clock, log, slots = [] } = options
  const fetcher = options.fetcher ?? createEgressFetcher({ guard })
  const workers = createPageWorkers()
  const rungs = createRungs({ fetcher, renderer, slots })
  const ladder = createLadder({ rungs, workers, clock, log })
  return {
    actions: [createOnescrape({ ladder, guard })],
    async close() {
      await Promise.all([renderer.close(), fetcher.close(), workers.close()])
    },
  }
}
