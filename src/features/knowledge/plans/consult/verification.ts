// Adds to a plan the calls that check the contacts it finds.
import { splitId } from '#core/catalog.ts'
import type { PlanStep } from '#core/plan.ts'
import { assume, freeId } from './drafting/draft.ts'
import { type ValueCheck, type ValueRecipe, verifications } from './drafting/recipes.ts'
import { shapeReference } from './drafting/shape.ts'
import type { DraftParts, Planned } from './goal.ts'
import { check } from './plan-goal.ts'

/** Within the budget. Each check is optional, because what was found is of use without it. */
export function addVerifications(
  parts: DraftParts,
  planned: Planned,
  budgetCents: number | undefined,
): Planned {
  let extended = planned
  for (const step of planned.steps) {
    const found = parts.recipes.find(
      ({ by, finds }) => by === step.action && verifications.some((one) => one.checks === finds),
    )
    if (found === undefined || isVerified(step, planned.steps)) continue
    const verification = verifications.find(({ checks, by }) => {
      const mode = parts.catalog.find(...splitId(by))?.mode
      return checks === found.finds && mode !== undefined && mode !== 'unavailable'
    })
    if (verification === undefined) {
      extended = assume(extended, `Not verified, as no action here does it: what ${step.id} finds.`)
      continue
    }
    const steps = [...extended.steps, verifyingStep(verification, found, step, extended.steps)]
    const tried = check(parts.catalog, { ...extended, steps }, budgetCents)
    extended =
      'planned' in tried
        ? nameUnverified(tried.planned, found, step)
        : assume(extended, `Not verified, to keep to the budget: what ${step.id} finds.`)
  }
  return extended
}

const isVerified = ({ id }: PlanStep, steps: readonly PlanStep[]) =>
  steps.some(
    ({ action, params }) =>
      verifications.some(({ by }) => by === action) &&
      JSON.stringify(params).includes(`"$step":${JSON.stringify(id)}`),
  )

const verifyingStep = (
  { by, takes }: ValueCheck,
  { list, at }: ValueRecipe,
  { id }: PlanStep,
  before: readonly PlanStep[],
): PlanStep => ({
  id: freeId(splitId(by)[1], before),
  action: by,
  params: { [takes]: shapeReference({}, { step: id, list, at }) },
  optional: true,
  why: `To check what ${id} finds.`,
})

const nameUnverified = (planned: Planned, { list }: ValueRecipe, { id }: PlanStep): Planned =>
  list === undefined ? planned : assume(planned, `Only the first of what ${id} finds is verified.`)
