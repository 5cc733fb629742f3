// What the calls inside a call cost the operator.
import type { CatalogEntry } from '#core/catalog.ts'
import { type Micros, usdToMicros } from '#core/money.ts'
import type { Trail, UntoldCall } from './trail.ts'

/** Adds up what an inner call costs, with the calls inside it. */
export interface StepCost {
  micros: Micros | undefined
  readonly untold: UntoldCall[]
  readonly outer: StepCost | undefined
}

interface CostPlace {
  readonly trail: Pick<Trail, 'cost' | 'untold'>
  readonly stepCost?: StepCost | undefined
}

export const openStepCost = ({ stepCost: outer }: CostPlace): StepCost => ({
  micros: undefined,
  untold: [],
  outer,
})

export function addCost({ trail, stepCost }: CostPlace, micros: Micros): void {
  trail.cost = (trail.cost ?? 0) + micros
  for (let each = stepCost; each !== undefined; each = each.outer)
    each.micros = (each.micros ?? 0) + micros
}

/** A call has delivered, and no reply in it has told what it cost. */
export function addUntold({ trail, stepCost }: CostPlace, call: UntoldCall): void {
  trail.untold.push(call)
  for (let each = stepCost; each !== undefined; each = each.outer) each.untold.push(call)
}

/** What the operator has said, with the action itself, that a delivered call costs. */
export const declaredCostOf = ({ action }: CatalogEntry): Micros | undefined =>
  action.declaredCostUsd === undefined ? undefined : usdToMicros(action.declaredCostUsd)

/** An action without a vendor that only runs others, such as a plan in a plan, costs what these do. */
export const isUntold = ({ micros, untold }: StepCost, { service }: CatalogEntry) =>
  micros === undefined && (untold.length === 0 || service.provider.upstream !== undefined)

/** What a part of the call cost that ran before, or at another gateway. */
export function addCosts(
  place: CostPlace,
  made: { readonly cost?: Micros | undefined; readonly untold?: readonly UntoldCall[] | undefined },
): void {
  if (made.cost !== undefined) addCost(place, made.cost)
  for (const call of made.untold ?? []) addUntold(place, call)
}
