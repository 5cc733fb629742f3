// Counts events and reports when a number is reached.

export interface Tally {
  add(): void
  /** Resolves when this many were counted. */
  reached(count: number): Promise<void>
}

export function createTally(): Tally {
  let total = 0
  let waiters: { count: number; resolve: () => void }[] = []
  return {
    add() {
      total += 1
      for (const { count, resolve } of waiters) if (total >= count) resolve()
      waiters = waiters.filter(({ count }) => total < count)
    },
    reached: (count) =>
      total >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiters.push({ count, resolve })),
  }
}
