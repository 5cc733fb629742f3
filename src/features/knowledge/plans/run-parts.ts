// Runs the steps of a plan and describes them.
import type { JobContext } from '#core/action.ts'
import type { Micros } from '#core/money.ts'
import type { CallPlan } from '#core/plan.ts'
import { describeParts, nothingDelivered, type Parts } from './answer.ts'
import { readyStepsOf } from './examine.ts'
import { runSteps, type StepOutcome } from './run-steps.ts'

/** From its first try on, with all its waiting. */
const planTimeoutMs = 60 * 60_000
const endingMarginMs = 60_000
const jobsAtOnceMax = 3
const startedName = 'started'

export const planTerms = { jobsAtOnceMax, timeoutMs: planTimeoutMs + endingMarginMs } as const

interface RunParts extends Parts {
  readonly outcomes: ReadonlyMap<string, StepOutcome>
  readonly isCancelled: boolean
}

/** `held`: what the steps may cost together. Throws the failure of the first one if none has delivered anything. */
export async function runParts(
  context: JobContext<unknown>,
  plan: CallPlan,
  held: Micros,
): Promise<RunParts> {
  const deadlineMs = (await startedAtMs(context)) + planTimeoutMs
  const limits = { held, deadlineMs }
  const { outcomes, stopReason } = await runSteps(context, readyStepsOf(plan), limits)
  const parts = describeParts(plan, outcomes)
  const isCancelled = stopReason === 'cancelled'
  if (parts.rows.some(({ status }) => status === 'succeeded'))
    return { ...parts, outcomes, isCancelled }
  throw nothingDelivered(plan, parts.rows)
}

/** When the first try began. */
async function startedAtMs({ checkpoints, save, clock }: JobContext<unknown>): Promise<number> {
  const saved = checkpoints.get(startedName)
  if (typeof saved === 'number') return saved
  const now = clock.now()
  await save(startedName, now)
  return now
}
