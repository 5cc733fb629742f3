import type { Purse } from './ladder.ts'

export interface Budget extends Purse {
  /** Spends what was agreed to already. */
  spend(cents: number): void
  /** Whether another page can be begun. Waits for pages under way that may give back what they took. */
  reaches(): Promise<boolean>
  spentCents(): number
}

/** What one job may spend. Pages read at the same time share it, and together never spend more. */
export function createBudget(totalCents: number): Budget {
  let left = totalCents
  /** Taken, and neither kept nor given back yet. */
  let pending = 0
  let waiting: (() => void)[] = []
  const decide = (cents: number) => {
    pending -= cents
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  return {
    take(cents) {
      if (cents > left) return false
      left -= cents
      pending += cents
      return true
    },
    keep: decide,
    giveBack(cents) {
      left += cents
      decide(cents)
    },
    spend(cents) {
      left -= cents
    },
    async reaches() {
      while (left < 1 && pending > 0) await new Promise<void>((wake) => waiting.push(wake))
      return left >= 1
    },
    spentCents: () => totalCents - left,
  }
}
