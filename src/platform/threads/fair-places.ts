// Places for work that strangers cause. One owner has some of them at most, however much it asks for, and owners that
// wait take turns.
import type { CallError } from '#core/errors.ts'
import { createFairQueue } from './fair-queue.ts'

export interface FairPlaces {
  /**
   * Does the work once its owner has a place. Throws the refusal when the owner has too much waiting, and the reason of
   * the signal when that ends the work before its turn.
   */
  take<Result>(
    asker: { readonly owner: string; readonly signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result>
}

export interface FairPlacesOptions {
  readonly places: number
  readonly placesPerOwner: number
  readonly waitingPerOwnerMax: number
  readonly refusal: () => CallError
}

export function createFairPlaces({
  places,
  placesPerOwner,
  waitingPerOwnerMax,
  refusal,
}: FairPlacesOptions): FairPlaces {
  const waiting = createFairQueue<() => void>()
  const taken = new Map<string, number>()
  let free = places
  const takenBy = (owner: string) => taken.get(owner) ?? 0
  const mayBegin = (owner: string) => takenBy(owner) < placesPerOwner

  function occupy(owner: string) {
    free -= 1
    taken.set(owner, takenBy(owner) + 1)
  }

  function leave(owner: string) {
    free += 1
    const left = takenBy(owner) - 1
    if (left > 0) taken.set(owner, left)
    else taken.delete(owner)
    waiting.shift(mayBegin)?.()
  }

  /** Resolves once the place is the owner's. */
  async function wait(owner: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (free > 0 && mayBegin(owner)) return occupy(owner)
    if (waiting.waitingOf(owner) >= waitingPerOwnerMax) throw refusal()
    const turn = Promise.withResolvers<void>()
    const begin = () => {
      occupy(owner)
      turn.resolve()
    }
    const giveUp = () => {
      if (waiting.remove(owner, begin)) turn.reject(signal.reason)
    }
    waiting.push(owner, begin)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      await turn.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  return {
    async take({ owner, signal }, work) {
      await wait(owner, signal)
      try {
        return await work()
      } finally {
        leave(owner)
      }
    },
  }
}
