// An amount that several rows spend at the same time, never more together than there is.
import type { Micros } from '#core/money.ts'

/** A part that one row has taken. */
export interface Share {
  /** Keeps what was spent, at most the share, and gives back the rest. */
  settle(spent: Micros): void
}

export interface Reserve {
  /** Waits, in turn, while others may give back. Undefined if what is left is less. Take one share at a time. */
  take(micros: Micros): Promise<Share | undefined>
  /** Adds to what is left. */
  add(micros: Micros): void
  left(): Micros
}

export function createReserve(total: Micros): Reserve {
  let left = total
  let open = 0
  const waiting: {
    readonly micros: Micros
    readonly decide: (share: Share | undefined) => void
  }[] = []

  function grant(micros: Micros): Share {
    left -= micros
    open += 1
    return {
      settle(spent) {
        left += micros - Math.min(spent, micros)
        open -= 1
        serve()
      },
    }
  }

  function serve() {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (next.micros > left && open > 0) return
      waiting.shift()
      next.decide(next.micros > left ? undefined : grant(next.micros))
    }
  }

  return {
    take: (micros) =>
      new Promise((decide) => {
        waiting.push({ micros, decide })
        serve()
      }),
    add(micros) {
      left += micros
      serve()
    },
    left: () => left,
  }
}
