// A gate at which calls wait until the test opens it.
import { createTally } from './tally.ts'

export interface Gate {
  /** Resolves when the gate is open. */
  wait(): Promise<void>
  /** Lets all current and later calls pass. */
  open(): void
  /** Resolves when this many calls wait. */
  waiting(calls: number): Promise<void>
  /** Lets current calls pass. Later ones wait again. */
  renew(): void
}

export function createGate(): Gate {
  let way = Promise.withResolvers<void>()
  let tally = createTally()
  return {
    wait() {
      tally.add()
      return way.promise
    },
    open: () => way.resolve(),
    waiting: (calls) => tally.reached(calls),
    renew() {
      way.resolve()
      way = Promise.withResolvers()
      tally = createTally()
    },
  }
}
