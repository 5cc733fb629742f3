// A call that takes one value is made once for each of the values that a goal names.
import { identifierPatterns } from '#core/identifier.ts'
import { keysOf } from '#core/input/records.ts'
import type { PlanStep } from '#core/plan.ts'
import type { IntentSlots, SlotKind } from '../slots.ts'
import { standingIn } from './taken-values.ts'

/** Kinds of values that a caller names in a row. Each of them counts. */
export const countedKinds: readonly SlotKind[] = [
  ...keysOf(identifierPatterns),
  ...(['id', 'message id', 'inbox', 'ASIN', 'telephone', 'file'] as const),
]

/** Kinds whose patterns also fit other words. A value counts beside one of its kind that a call takes. */
export const looseKinds: readonly SlotKind[] = [
  ...(['quotation', 'person', 'company', 'handle', 'hashtag', 'subreddit', 'airport'] as const),
]

const callsMax = 10

/** The parameters of the further calls. */
export function forFurtherValues(
  params: PlanStep['params'],
  named: IntentSlots,
): readonly PlanStep['params'][] {
  for (const kind of countedKinds) {
    const values = named.get(kind) ?? []
    const [first, ...others] = values
    if (first === undefined || others.length === 0 || values.length > callsMax) continue
    const standing = standingIn(JSON.stringify(params), values)
    if (others.some((value) => standing.has(value))) continue
    const place = Object.entries(params).find(([, value]) => String(value) === first)
    if (place === undefined) continue
    const [name, taken] = place
    return others.map((value) => ({
      ...params,
      [name]: typeof taken === 'number' ? Number(value) : value,
    }))
  }
  return []
}
