import type { RungBudget } from './ladder/ladder.ts'

/** One page's share: at least its first cent, from when the page is begun until it is closed. */
export interface PageBudget extends RungBudget {
  /** Gives back what was not kept. */
  close(): void
}

export interface Budget {
  /** Spends what was agreed to already. */
  spend(cents: number): void
  /** Waits for pages under way that may give back what they took. Undefined when nothing is left for another one. */
  begin(): Promise<PageBudget | undefined>
  spentCents(): number
}

const entryCents = 1

/** What one job may spend. Pages read at the same time share it, and together never spend more. */
export function createBudget(totalCents: number): Budget {
  let left = totalCents
  /** Pages begun and not closed yet: what they hold may come back. */
  let open = 0
  let waiting: (() => void)[] = []
  const wakeAll = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  function createPageBudget(): PageBudget {
    let held = entryCents
    let isClosed = false
    const hold = (cents: number) => {
      left += held - cents
      held = cents
      wakeAll()
    }
    return {
      take(cents) {
        if (isClosed || cents > left + held) return false
        hold(Math.max(cents, held))
        return true
      },
      keep(cents) {
        if (isClosed) return
        held -= cents
        hold(0)
      },
      giveBack() {
        if (!isClosed) hold(Math.min(entryCents, held))
      },
      close() {
        if (isClosed) return
        isClosed = true
        open -= 1
        hold(0)
      },
    }
  }

  return {
    spend(cents) {
      left -= cents
    },
    async begin() {
      while (left < entryCents && open > 0) await new Promise<void>((wake) => waiting.push(wake))
      if (left < entryCents) return undefined
      left -= entryCents
      open += 1
      return createPageBudget()
    },
    spentCents: () => totalCents - left,
  }
}
