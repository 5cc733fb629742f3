// Places for work that strangers cause. One owner has some of them at most, however much it asks for, and owners that
// wait take turns.
import { type CallError, fail } from '#core/errors.ts'
import { createFairQueue } from './fair-queue.ts'

export interface FairPlaces {
  /**
   * Resolves, once the owner has what it asks for, to the function that gives it back. Throws the refusal when too much
   * waits, and the reason of the signal when that ends before its turn.
   */
  enter(asker: PlaceAsker): Promise<() => void>
  /** Does the work once its owner has a place. Throws as `enter` does. */
  take<Result>(asker: PlaceAsker, work: () => Promise<Result>): Promise<Result>
}

export interface PlaceAsker {
  readonly owner: string
  readonly signal: AbortSignal
  /** Default 1. One that asks for more than an owner may have gets that. */
  readonly places?: number
  /** Waits however much waits already. */
  readonly isPatient?: boolean | undefined
}

export interface FairPlacesOptions {
  readonly places: number
  readonly placesPerOwner: number
  readonly waitingPerOwnerMax: number
  /** Of all owners together. Default: only each owner's own limit counts. */
  readonly waitingMax?: number
  readonly refusal: () => CallError
}

/** The refusal of an account. `what` waits for its turn, and `done` is what becomes of one of them. */
export const tooManyWaiting = (
  what: string,
  {
    waitingMax,
    done,
    retryAfterSeconds = 10,
  }: {
    readonly waitingMax: number
    readonly done: string
    readonly retryAfterSeconds?: number
  },
): CallError =>
  fail('too_many_inflight', {
    message: `Your account has ${waitingMax} ${what}. Nothing was charged; send the next one when one of them is ${done}.`,
    retryAfterSeconds,
  })

interface Visitor {
  readonly places: number
  readonly begin: () => void
}

export function createFairPlaces({
  places,
  placesPerOwner,
  waitingPerOwnerMax,
  waitingMax = Number.POSITIVE_INFINITY,
  refusal,
}: FairPlacesOptions): FairPlaces {
  const waiting = createFairQueue<Visitor>()
  const taken = new Map<string, number>()
  let free = places
  const takenBy = (owner: string) => taken.get(owner) ?? 0
  const hasRoom = (owner: string, wanted: number) => takenBy(owner) + wanted <= placesPerOwner

  function occupy(owner: string, count: number) {
    free -= count
    taken.set(owner, takenBy(owner) + count)
  }

  function leave(owner: string, count: number) {
    free += count
    const left = takenBy(owner) - count
    if (left > 0) taken.set(owner, left)
    else taken.delete(owner)
    admitWaiting()
  }

  /** The next whose owner has room. One that waits for more places than are free is not overtaken by other owners. */
  function nextInTurn(): Visitor | undefined {
    let isFull = false
    return waiting.shift((owner, { places }) => {
      if (isFull || !hasRoom(owner, places)) return false
      isFull = places > free
      return !isFull
    })
  }

  function admitWaiting() {
    for (let next = nextInTurn(); next !== undefined; next = nextInTurn()) next.begin()
  }

  async function enter({ owner, signal, places: wanted = 1, isPatient = false }: PlaceAsker) {
    signal.throwIfAborted()
    const count = Math.min(wanted, placesPerOwner, places)
    const turn = Promise.withResolvers<void>()
    let isInside = false
    const visitor: Visitor = {
      places: count,
      begin() {
        isInside = true
        occupy(owner, count)
        turn.resolve()
      },
    }
    const giveUp = () => {
      if (!waiting.remove(owner, visitor)) return
      turn.reject(signal.reason)
      admitWaiting()
    }
    waiting.push(owner, visitor)
    admitWaiting()
    if (!isInside) {
      const isTooMuch = waiting.waitingOf(owner) > waitingPerOwnerMax || waiting.size > waitingMax
      if (isTooMuch && !isPatient) {
        waiting.remove(owner, visitor)
        throw refusal()
      }
      signal.addEventListener('abort', giveUp, { once: true })
      try {
        await turn.promise
      } finally {
        signal.removeEventListener('abort', giveUp)
      }
    }
    return () => {
      if (isInside) leave(owner, count)
      isInside = false
    }
  }

  return {
    enter,
    async take(asker, work) {
      const leave = await enter(asker)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
