// A free call without an idempotency key: it leaves no row, but a language model in it costs the operator.
import type { Caller } from '#core/caller.ts'
import type { CallListener } from '#core/calls/call-listener.ts'
import type { CatalogEntry } from '#core/catalog.ts'
import type { UnchargedCosts } from '#money/ledger/uncharged-costs.ts'
import type { Executor } from '../execute/execute.ts'
import { costOf, openTrail } from '../execute/trail.ts'
import { holdRefusal } from './hold-refusal.ts'

/** Resolves to the output as JSON text. Throws `rate_limited` where the caller has caused enough cost today. */
export type RunFree = (
  entry: CatalogEntry,
  input: unknown,
  caller: Caller,
  listener?: CallListener,
) => Promise<string>

export function createFreeCalls({
  executor,
  uncharged,
}: {
  executor: Pick<Executor, 'execute' | 'isInference'>
  uncharged: UnchargedCosts
}): RunFree {
  return async (entry, input, caller, listener) => {
    const end = executor.isInference(entry, input)
      ? await uncharged.begin(caller)
      : noteOnly(uncharged, caller)
    if (end === undefined) throw holdRefusal({ outcome: 'uncharged_cap', available: null }, noPrice)
    const trail = openTrail(caller)
    try {
      return (await executor.execute(entry, input, trail, { listener })).output
    } finally {
      await end(costOf(trail, 0) ?? 0)
    }
  }
}

const noteOnly = (uncharged: UnchargedCosts, caller: Caller) => async (cost: number) => {
  if (cost > 0) await uncharged.note(caller, cost)
}

const noPrice = { kind: 'exact', micros: 0 } as const
