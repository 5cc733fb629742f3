// What would be sold, beside what is sold now.
import type { Action } from '#core/action.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { endpointAction, endpointOperation } from '../endpoint.ts'
import { ruleFor } from '../rules/price-rules.ts'
import type { SoldApi } from '../sold-api.ts'
import { describeChange, type SaleSide } from './describe-change.ts'
import { compareMeanings } from './meaning.ts'

/** `retired`: the description has it no more, and callers read so. `removed`: it is not sold, and is gone at once. */
export type SaleChange = 'new' | 'changed' | 'price' | 'same' | 'retired' | 'removed'

export interface PlannedAction {
  readonly action: string
  readonly price: string
  readonly summary: string
  readonly change: SaleChange
  /** Where it was sold for another one. */
  readonly priceBefore?: string
  /** What differs besides the price, in one line. */
  readonly whatChanged?: string
}

/** `earlier`: the actions of what is sold now, by their names. */
export function comparePlanned(
  sold: SoldApi,
  actions: readonly Action[],
  before: SoldApi | undefined,
  earlier: ReadonlyMap<string, Action>,
): readonly PlannedAction[] {
  const isSame = compareMeanings(before?.api.definitions ?? {}, sold.api.definitions)
  const [sidesBefore, sides] = [before ? sidesOf(before) : new Map(), sidesOf(sold)]
  const retired = new Set(sold.retired.map(({ operation }) => operation.name))
  const isFirst = before === undefined || before.stopped !== undefined
  const changeOf = (action: Action): Pick<PlannedAction, 'change' | 'whatChanged'> => {
    const known = earlier.get(action.name)
    const [old, own] = [sidesBefore.get(action.name), sides.get(action.name)]
    if (retired.has(action.name)) return { change: 'retired' }
    if (isFirst || known === undefined || known.ended || !old || !own) return { change: 'new' }
    const isDescribedAlike = isSame(old.operation, own.operation)
    const whatChanged = describeChange({ before: old, now: own, isSame, isDescribedAlike })
    const isPriceSame = priceOf(known) === priceOf(action)
    if (whatChanged === '') return { change: isPriceSame ? 'same' : 'price' }
    return { change: isDescribedAlike && !isPriceSame ? 'price' : 'changed', whatChanged }
  }
  const planned = actions.map((action): PlannedAction => {
    const { change, ...changed } = changeOf(action)
    const known = earlier.get(action.name)
    const priceBefore = before && known && priceOf(known)
    // A retired action is not for sale, so it has no new price.
    const price = change === 'retired' && priceBefore ? priceBefore : priceOf(action)
    return {
      action: `${sold.name}/${action.name}`,
      price,
      summary: action.summary,
      change,
      ...(priceBefore !== undefined && priceBefore !== price && { priceBefore }),
      ...changed,
    }
  })
  const names = new Set(actions.map(({ name }) => name))
  const removed = [...earlier.values()].filter(({ name, ended }) => !ended && !names.has(name))
  return [
    ...planned,
    ...removed.map(
      (action): PlannedAction => ({
        action: `${sold.name}/${action.name}`,
        price: before === undefined ? '' : priceOf(action),
        summary: action.summary,
        change: 'removed',
      }),
    ),
  ]
}

const priceOf = (action: Action) => describePrice(action).text

/** By the names of the actions. */
function sidesOf({ kind, api, retired, rules }: SoldApi): ReadonlyMap<string, SaleSide> {
  const { definitions } = api
  if (kind === 'endpoint') {
    const rule = ruleFor(rules, endpointOperation)
    return new Map([[endpointAction, { operation: undefined, rule, definitions }]])
  }
  const operations = [...api.operations, ...retired.map(({ operation }) => operation)]
  return new Map(
    operations.map((operation) => {
      const rule = ruleFor(rules, operation)
      return [operation.name, { operation, rule, definitions }]
    }),
  )
}
