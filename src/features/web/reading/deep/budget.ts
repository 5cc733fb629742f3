import { centsToMicros, type Micros } from '#core/money.ts'
import type { RungBudget } from '../ladder/ladder.ts'
import { batchCents, cheapestRungCents, type RungPrice } from '../ladder/prices.ts'

/** One page's share of the budget, from when the page is begun until it is closed. */
export interface PageBudget extends RungBudget {
  /** When the page was begun, the budget had less left than a rung with a price of its own costs. */
  readonly isShort: boolean
  /** Gives back what was not kept. */
  close(): void
}

export interface Budget {
  /** Spends a price without asking whether it is left: it was agreed to before. */
  spend(price: RungPrice): void
  /**
   * Waits for pages under way that may give back what they hold. Undefined if the rest does not pay for another page.
   */
  begin(): Promise<PageBudget | undefined>
  spentMicros(): Micros
}

/** Held for each page under way. It pays for rung 1 in every case, because no page adds more than this to the batch. */
const entry = centsToMicros(cheapestRungCents)

const batchMicros = (pages: number) => centsToMicros(batchCents(pages))

/** What one job may spend. The pages that are read at the same time share it, and together never spend more. */
export function createBudget(totalCents: number): Budget {
  let left = centsToMicros(totalCents)
  /** The pages that rung 1 has read. */
  let batched = 0
  /** Pages begun and not closed yet: what they hold may come back. */
  let open = 0
  let waiting: (() => void)[] = []
  const wakeAll = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  const microsOf = (price: RungPrice): Micros =>
    price === 'batch' ? batchMicros(batched + 1) - batchMicros(batched) : centsToMicros(price)
  const spend = (price: RungPrice) => {
    left -= microsOf(price)
    if (price === 'batch') batched += 1
  }

  function createPageBudget(share: Micros): PageBudget {
    let held = share
    let isClosed = false
    const hold = (micros: Micros) => {
      left += held - micros
      held = micros
      wakeAll()
    }
    return {
      isShort: share < entry,
      take(price) {
        const micros = microsOf(price)
        if (isClosed || micros > left + held) return false
        hold(Math.max(micros, held))
        return true
      },
      keep(price) {
        if (isClosed) return
        left += held
        held = 0
        spend(price)
        wakeAll()
      },
      giveBack() {
        if (!isClosed) hold(Math.min(share, held))
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
    spend,
    async begin() {
      while (left < entry && open > 0) await new Promise<void>((wake) => waiting.push(wake))
      if (left < microsOf('batch')) return undefined
      const share = Math.min(entry, left)
      left -= share
      open += 1
      return createPageBudget(share)
    },
    spentMicros: () => centsToMicros(totalCents) - left,
  }
}
