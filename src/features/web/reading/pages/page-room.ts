// What all pages of this process hold at once. A call takes its places before it asks for a page. Most pages are small
// and need no more; a call that comes upon a larger one waits for room for as many of that size as it may read at once.
import { fail } from '#core/errors.ts'
import { abortable } from '#platform/egress/abortable.ts'
import { createFairPlaces, type FairPlaces } from '#platform/threads/fair-places.ts'
import { pageBytesMax } from '../ladder/fetch.ts'

export interface PageRoom {
  /** Throws `rate_limited` when the queue is full or too slow, unless the visitor is patient, as jobs are. */
  enter(visitor: PageVisitor): Promise<PagePlaces>
}

export interface PageVisitor {
  /** Who pays: one account cannot take all places. */
  readonly owner: string
  /** How many pages it reads at once. */
  readonly pages: number
  readonly signal: AbortSignal
  /** Waits until its signal ends. */
  readonly isPatient?: boolean
}

export interface PagePlaces {
  /** Resolves when a page of this size may be held. Throws as `enter` does. */
  hold(bytes: number): Promise<void>
  leave(): void
}

export interface PageLimits {
  /**
   * Pages that are requested, parsed or kept for an answer at once. A page that waits for its server needs almost no
   * memory.
   */
  readonly pagesMax: number
  readonly pagesPerOwnerMax: number
  /** Calls that wait for their places: of all owners, and of one. */
  readonly waitingMax: number
  readonly waitingPerOwnerMax: number
  /**
   * Pages of more than `above` and at most `upTo` bytes share `bytesMax` bytes of room. One owner has at most
   * `bytesPerOwnerMax`, which is enough for all pages of one call.
   */
  readonly sizes: readonly {
    readonly above: number
    readonly upTo: number
    readonly bytesMax: number
    readonly bytesPerOwnerMax: number
  }[]
  /** How long a call waits before it is answered with 429. */
  readonly waitMs: number
}

const usualLimits: PageLimits = {
  pagesMax: 128,
  pagesPerOwnerMax: 64,
  waitingMax: 256,
  waitingPerOwnerMax: 64,
  sizes: [
    { above: 256_000, upTo: 1_000_000, bytesMax: 60_000_000, bytesPerOwnerMax: 30_000_000 },
    {
      above: 1_000_000,
      upTo: pageBytesMax,
      bytesMax: 50_000_000,
      bytesPerOwnerMax: 25_000_000,
    },
  ],
  waitMs: 8_000,
}
const comeBackAfterSeconds = 5

const tooManyPages = () =>
  fail('rate_limited', {
    retryAfterSeconds: comeBackAfterSeconds,
    message: `The gateway is reading as many pages as it can hold. Nothing was charged; try again in ${comeBackAfterSeconds} seconds.`,
  })

export function createPageRoom(limits: Partial<PageLimits> = {}): PageRoom {
  const { pagesMax, pagesPerOwnerMax, sizes, waitMs, ...waiting } = { ...usualLimits, ...limits }
  const places = createFairPlaces({
    ...waiting,
    places: pagesMax,
    placesPerOwner: pagesPerOwnerMax,
    refusal: tooManyPages,
  })
  // Only those who have places wait for room.
  const rooms = sizes.map(({ above, upTo, bytesMax, bytesPerOwnerMax }) => ({
    above,
    upTo,
    room: createFairPlaces({
      places: bytesMax,
      placesPerOwner: bytesPerOwnerMax,
      waitingPerOwnerMax: pagesPerOwnerMax,
      refusal: tooManyPages,
    }),
  }))

  return {
    async enter(visitor) {
      const { pages, signal } = visitor
      const leaving: (() => void)[] = []
      let hasLeft = false
      const leave = () => {
        hasLeft = true
        for (const each of leaving.splice(0)) each()
      }
      /** Takes what is waited for. Gives it back at once if the visitor has left meanwhile. */
      const take = async (wait: (stop: AbortSignal) => Promise<() => void>) => {
        const giveBack = await (visitor.isPatient ? wait(signal) : waitAtMost(waitMs, signal, wait))
        if (hasLeft) giveBack()
        else leaving.push(giveBack)
      }
      const taken = new Map<FairPlaces, Promise<void>>()
      try {
        await take((stop) => places.enter({ ...visitor, places: pages, signal: stop }))
      } catch (thrown) {
        leave()
        throw thrown
      }
      return {
        async hold(bytes) {
          // From the small sizes to the large ones, so that no two calls wait for each other; and once for all pages of
          // the call, since one that held a page and waited for the next could wait for itself.
          for (const { above, upTo, room } of rooms) {
            if (bytes <= above) return
            const entered =
              taken.get(room) ??
              take((stop) => room.enter({ ...visitor, places: pages * upTo, signal: stop }))
            taken.set(room, entered)
            await abortable(entered, signal)
          }
        },
        leave,
      }
    },
  }
}

async function waitAtMost<Value>(
  timeoutMs: number,
  signal: AbortSignal,
  wait: (stop: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  return await wait(stop).catch(() => {
    signal.throwIfAborted()
    throw tooManyPages()
  })
}
