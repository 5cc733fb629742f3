// A free call without an idempotency key: it leaves no row, but a language model in it costs the operator.
import type { Caller } from '#core/caller.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import type { UnchargedCosts } from '#money/ledger/uncharged-costs.ts'
import type { Executor } from '../execute/execute.ts'
import { costOf, openTrail } from '../execute/trail.ts'
import { holdRefusal } from './hold-refusal.ts'

/** Resolves to the output as JSON text. Throws `rate_limited` where the caller has caused enough cost today. */
export type RunFree = (entry: CatalogEntry, input: unknown, caller: Caller) => Promise<string>

export function createFreeCalls({
  executor,
  uncharged,
}: {
  executor: Pick<Executor, 'execute' | 'isInference'>
  uncharged: UnchargedCosts
}): RunFree {
  return async (entry, input, caller) => {
    if (executor.isInference(entry, input) && (await uncharged.isSpent(caller)))
      throw holdRefusal({ outcome: 'uncharged_cap', available: null }, noPrice)
    const trail = openTrail(caller)
    try {
      return (await executor.execute(entry, input, trail)).output
    } finally {
      const cost = costOf(trail, 0)
      if (cost !== undefined && cost > 0) await uncharged.note(caller, cost)
    }
  }
}

const noPrice = { kind: 'exact', micros: 0 } as const
