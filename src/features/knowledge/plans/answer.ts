// What a plan answers: every step with what it delivered and cost. The parts add up to the charge.
import { z } from '#core/action.ts'
import { type CallError, fail } from '#core/errors.ts'
import { type Micros, microsToCents, microsToUsd, partsToCents, sumOf } from '#core/money.ts'
import type { PlanStep } from '#core/plan.ts'
import type { StepOutcome } from './run-steps.ts'

/** Of the data of all steps together. */
const answerCharactersMax = 18_000_000

export const partSchema = z.object({
  action: z.string(),
  status: z
    .enum(['succeeded', 'failed', 'skipped'])
    .describe(
      'skipped: it was not run, because the plan had stopped or a step it needs had failed.',
    ),
  charged_cents: z.int().describe('Whole cents. Those of all parts add up to spent_cents.'),
  charged_usd: z.string().describe('The exact charge. Failed and skipped calls are free.'),
  data: z
    .unknown()
    .optional()
    .describe('The answer of the action. Left out where all answers together are too long.'),
  error: z.string().optional(),
  message: z.string().optional(),
})

export const spentShape = {
  spent_cents: z.int().describe('The charge, rounded up to whole cents.'),
  spent_usd: z.string().describe('The exact charge: the sum of the parts.'),
}

export type Part = z.output<typeof partSchema>

export interface Parts {
  readonly rows: readonly Part[]
  readonly spentMicros: Micros
  readonly spent: { readonly spent_cents: number; readonly spent_usd: string }
}

/**
 * The part of each step, in their order. The longest data is left out where the answer has no room for all of it. Its
 * step is charged nevertheless: it was run, and later steps could use its data.
 */
export function describeParts(
  plan: readonly Pick<PlanStep, 'id' | 'action'>[],
  outcomes: ReadonlyMap<string, StepOutcome>,
): Parts {
  const ended = plan.map(({ id }) => {
    const outcome = outcomes.get(id)
    if (outcome === undefined) throw new TypeError(`The step ${id} has not ended.`)
    return outcome
  })
  const tooLong = findTooLong(ended)
  const charges = ended.map(chargeOf)
  const cents = partsToCents(charges)
  const rows = plan.map(({ action }, at): Part => {
    const outcome = ended[at] as StepOutcome
    const { status } = outcome
    const part = {
      action,
      status,
      charged_cents: cents[at] ?? 0,
      charged_usd: microsToUsd(charges[at] ?? 0),
    }
    if (tooLong.has(outcome)) return { ...part, message: tooLongMessage }
    return outcome.status === 'succeeded'
      ? { ...part, data: outcome.data }
      : { ...part, error: outcome.error.code, message: outcome.error.message }
  })
  const spent = sumOf(charges)
  return {
    rows,
    spentMicros: spent,
    spent: { spent_cents: microsToCents(spent, 'up'), spent_usd: microsToUsd(spent) },
  }
}

const chargeOf = (outcome: StepOutcome): Micros =>
  outcome.status === 'succeeded' ? outcome.charged : 0

const tooLongMessage =
  'The answers of the steps are too long together, so the data of this one is left out. Run it by itself to read it.'

/** The steps with the longest data, until the others fit. One always stays. */
function findTooLong(outcomes: readonly StepOutcome[]): ReadonlySet<StepOutcome> {
  const lengths = outcomes.flatMap((outcome) =>
    outcome.status === 'succeeded'
      ? [{ outcome, characters: (JSON.stringify(outcome.data) ?? '').length }]
      : [],
  )
  const longestFirst = lengths.toSorted((one, other) => other.characters - one.characters)
  let total = lengths.reduce((sum, { characters }) => sum + characters, 0)
  const tooLong = new Set<StepOutcome>()
  for (const { outcome, characters } of longestFirst.slice(0, -1)) {
    if (total <= answerCharactersMax) break
    tooLong.add(outcome)
    total -= characters
  }
  return tooLong
}

export const isFree = 'Nothing was charged.'

/**
 * The failure of a plan that has delivered nothing: that of its first step that failed, or else the reason why none was
 * run.
 */
export function nothingDelivered(
  plan: readonly Pick<PlanStep, 'id'>[],
  rows: readonly Part[],
): CallError {
  const at = Math.max(
    rows.findIndex(({ status }) => status === 'failed'),
    0,
  )
  const { error, message = '' } = rows[at] ?? {}
  const isTold = message.includes(isFree)
  return fail(error as CallError['code'], {
    message: `Step "${plan[at]?.id}": ${message}${isTold ? '' : ` ${isFree}`}`,
    data: { steps: rows },
  })
}
