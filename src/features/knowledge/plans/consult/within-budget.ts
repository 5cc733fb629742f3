// Reduces how many results the calls of a plan return, until the plan costs at most its budget.
import { type Catalog, inputSchemaOf, splitId } from '#core/catalog.ts'
import { toCallError } from '#core/errors.ts'
import { centsToMicros, type Micros, microsToCents } from '#core/money.ts'
import type { PlanStep } from '#core/plan.ts'
import { type Examined, examinePlan } from '../examine.ts'
import type { PlanDraft, Planned } from './goal.ts'

/** Parameters that say how much a call returns at most. */
const countName =
  /^(?:limit|count|maxItems|maxResults|maxrecords|maxPages|numResults|page_size|per_page|max_(?:results|pages|companies|items))$/

/** Enough to find a count by halves. */
const triesMax = 16
const countUnknownMax = 100

interface CountSchema {
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

/** Undefined if no number of results is within the budget. */
export function withinBudget(
  catalog: Catalog,
  draft: PlanDraft,
  budgetCents: number,
): Planned | undefined {
  const budget = centsToMicros(budgetCents)
  const examine = (steps: readonly PlanStep[]) => {
    try {
      return examinePlan(catalog, steps, { byThemselves: true })
    } catch (thrown) {
      if (toCallError(thrown).code === 'upstream_error') throw thrown
      return undefined
    }
  }
  const lowered = lowerCeiling(draft, budget, examine)
  if (lowered !== undefined) return lowered
  let { steps, assumptions } = draft
  for (const [at, step] of steps.entries()) {
    for (const [name, schema] of countsOf(catalog, step)) {
      const withCount = (count: number) =>
        steps.with(at, { ...step, params: { ...step.params, [name]: count } })
      const count = mostThat(schema, (one) => {
        const examined = examine(withCount(one))
        return examined !== undefined && examined.cost.max <= budget
      })
      if (count === undefined) continue
      steps = withCount(count)
      assumptions = [...assumptions, `${step.action}: ${name} is ${count}, to keep to the budget.`]
      const examined = examine(steps)
      if (examined !== undefined)
        return { ...draft, steps, assumptions, costs: examined.steps, total: examined.cost }
    }
  }
  return undefined
}

/** A call that may cost up to its ceiling leaves the others what they cost. */
function lowerCeiling(
  draft: PlanDraft,
  budget: Micros,
  examine: (steps: readonly PlanStep[]) => Examined | undefined,
): Planned | undefined {
  const at = draft.steps.findLastIndex(({ max_cost_cents: ceiling }) => ceiling !== undefined)
  const step = draft.steps[at]
  const over = (examine(draft.steps)?.cost.max ?? 0) - budget
  const ceiling = (step?.max_cost_cents ?? 0) - microsToCents(over, 'up')
  if (step === undefined || ceiling <= 0) return undefined
  const steps = draft.steps.with(at, { ...step, max_cost_cents: ceiling })
  const examined = examine(steps)
  if (examined === undefined || examined.cost.max > budget) return undefined
  return { ...draft, steps, costs: examined.steps, total: examined.cost }
}

function countsOf(catalog: Catalog, { action, params }: PlanStep): [string, CountSchema][] {
  const entry = catalog.find(...splitId(action))
  const properties = entry ? inputSchemaOf(entry.action).properties : {}
  return Object.entries(properties).flatMap(([name, schema]) => {
    const own = params[name]
    const most = typeof own === 'number' ? own : (schema.default ?? schema.maximum)
    return countName.test(name)
      ? [
          [name, { ...schema, ...(most !== undefined && { maximum: most }) }] as [
            string,
            CountSchema,
          ],
        ]
      : []
  })
}

/** The largest count that fits. Undefined if the smallest one does not. */
function mostThat(
  { minimum = 1, maximum = countUnknownMax }: CountSchema,
  fits: (count: number) => boolean,
): number | undefined {
  let least = Math.max(1, minimum)
  if (!fits(least)) return undefined
  let most = Math.max(least, Math.min(maximum, countUnknownMax))
  for (let turn = 0; turn < triesMax && least < most; turn += 1) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(middle)) least = middle
    else most = middle - 1
  }
  return least
}
