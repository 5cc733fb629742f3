import type { Purse } from './ladder.ts'

export interface Budget extends Purse {
  /** Spends what was agreed to already. */
  spend(cents: number): void
  /** Nothing is left, not even for the cheapest rung, whatever is given back. */
  isEmpty(): boolean
  spentCents(): number
}

/** What one job may spend. Pages read at the same time share it, and together never spend more. */
export function createBudget(totalCents: number): Budget {
  let left = totalCents
  return {
    take(cents) {
      if (cents > left) return false
      left -= cents
      return true
    },
    giveBack(cents) {
      left += cents
    },
    spend(cents) {
      left -= cents
    },
    isEmpty: () => left < 1,
    spentCents: () => totalCents - left,
  }
}
