// Counts what an action uses of its provider, and refuses it once the operator's budget of the day is used up.
import type { CatalogEntry } from '#core/catalog.ts'
import type { ProviderBudgets } from '../providers/budgets.ts'
import { notConfigured } from './access.ts'
import { declaredCostOf, type StepCost } from './step-cost.ts'
import type { Trail } from './trail.ts'

interface UsePlace {
  readonly trail: Pick<Trail, 'cost'>
  readonly depth: number
  readonly stepCost?: StepCost | undefined
  readonly job?: { readonly jobId?: string | undefined } | undefined
}

export const withinBudget =
  <Place extends UsePlace>(
    budgets: Pick<ProviderBudgets, 'begin'>,
    perform: (entry: CatalogEntry, input: unknown, place: Place) => Promise<unknown>,
  ): typeof perform =>
  async (entry, input, place) => {
    const { depth, job } = place
    const { id } = entry.service.provider
    const use = budgets.begin(id, { isStep: depth > 0, jobId: job?.jobId })
    if (use.stoppedFor !== undefined) throw notConfigured({ ...entry, reason: use.stoppedFor })
    let unknown = 0
    try {
      const data = await perform(entry, input, place)
      unknown = declaredCostOf(entry) ?? 0
      return data
    } finally {
      use.end((depth > 0 ? place.stepCost?.micros : place.trail.cost) ?? unknown)
    }
  }
