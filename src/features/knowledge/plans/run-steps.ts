// Runs the steps of a plan inside one held call: side by side where nothing is awaited, and never beyond the amount
// held.
import type { JobContext, PreparedCall, StopReason } from '#core/action.ts'
import { CallError, type ErrorCode, fail } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import { fillReferences } from '#core/plan.ts'
import { bodyOf, type ReadyStep } from './examine.ts'

export type StepOutcome =
  | { readonly status: 'succeeded'; readonly data: unknown; readonly charged: Micros }
  | { readonly status: 'failed' | 'skipped'; readonly error: StepError }

interface StepError {
  readonly code: ErrorCode
  readonly message: string
}

/** What a step's part of a job needs of it. */
type Context = Pick<
  JobContext<unknown>,
  'prepare' | 'checkpoints' | 'save' | 'report' | 'stopReason' | 'signal' | 'clock'
>

interface Limits {
  /** What the steps may cost together. */
  readonly held: Micros
  /** Steps that have not ended by then have failed. */
  readonly deadlineMs: number
}

const stepsAtOnceMax = 5

interface EndedSteps {
  readonly outcomes: ReadonlyMap<string, StepOutcome>
  /** Why steps were not run that could have been. */
  readonly stopReason: StopReason | undefined
}

/**
 * The outcome of every step. Throws what postpones the plan once the other steps have ended: it is then run
 * again, and steps that have ended are not.
 */
export async function runSteps(
  context: Context,
  steps: readonly ReadyStep[],
  limits: Limits,
): Promise<EndedSteps> {
  const { signal, clock } = context
  const late = new AbortController()
  const ended = new AbortController()
  const abandoned = new AbortController()
  const remainingMs = limits.deadlineMs - clock.now()
  // A plan that is taken up too late starts nothing.
  if (remainingMs <= 0) late.abort(outOfTime())
  else
    void clock
      .sleep(remainingMs, AbortSignal.any([signal, ended.signal]))
      .then(() => late.abort(outOfTime()))
      .catch(() => {})
  const progress = createProgress(context, steps, limits.held)
  const running = createRunning(context, progress, {
    late: late.signal,
    abandoned: abandoned.signal,
  })
  try {
    progress.stop(await context.stopReason())
    await resume(context, steps, progress, running)
    for (;;) {
      signal.throwIfAborted()
      progress.stop(await context.stopReason())
      await startWhatFits(progress, running, late.signal)
      if (running.count() > 0) {
        await running.next()
        continue
      }
      progress.throwIfPostponed()
      const next = progress.findReady()
      if (next === undefined)
        return { outcomes: progress.outcomes, stopReason: progress.stopReason() }
      await progress.end(next, { status: 'failed', error: aboveRest })
    }
  } finally {
    ended.abort()
    // A step that goes on would run beside the next try.
    abandoned.abort(new Error('This try at the plan has ended.'))
    await running.rest()
  }
}

/** Takes up what an earlier try has left. */
async function resume(
  { checkpoints }: Context,
  steps: readonly ReadyStep[],
  progress: Progress,
  running: Running,
): Promise<void> {
  for (const { step } of steps) {
    const saved = checkpoints.get(endName(step.id)) as StepOutcome | undefined
    if (saved !== undefined) progress.keep(step, saved)
  }
  for (const ready of steps) {
    const { id } = ready.step
    const isDone = checkpoints.has(stepName(id))
    const hasBegun =
      isDone || (checkpoints.has(startName(id)) && progress.stopReason() !== 'given_up')
    if (!progress.isWaiting(id) || !hasBegun) continue
    const call = await running.prepare(ready)
    if (call === undefined) continue
    const ending = running.start(ready, call)
    // Later steps may take values from its answer.
    if (isDone) await ending
  }
}

async function startWhatFits(
  progress: Progress,
  running: Running,
  late: AbortSignal,
): Promise<void> {
  for (;;) {
    const ready = progress.findReady()
    if (ready === undefined || running.count() >= stepsAtOnceMax) return
    const failed = ready.awaits.find((id) => progress.outcomes.get(id)?.status !== 'succeeded')
    if (progress.hasStopped() || late.aborted || failed !== undefined) {
      const error = whySkipped(failed, late.aborted, progress.stopReason())
      await progress.end(ready, { status: 'skipped', error })
      continue
    }
    const call = await running.prepare(ready)
    if (call === undefined) continue
    // Later steps wait, too: a cheaper one must not take what an earlier one needs.
    if (!progress.fits(call.quote.micros)) return
    void running.start(ready, call)
  }
}

type Progress = ReturnType<typeof createProgress>

/** How far the plan is, and what its steps have cost and may cost. */
function createProgress(
  { save, report }: Pick<Context, 'save' | 'report'>,
  steps: readonly ReadyStep[],
  held: Micros,
) {
  const outcomes = new Map<string, StepOutcome>()
  const answers = new Map<string, unknown>()
  const begun = new Set<string>()
  const postponed = new Map<string, unknown>()
  /** What ended steps were charged, and what begun ones may be charged. */
  let committed: Micros = 0
  let stopped = false
  let stopReason: StopReason | undefined

  function keep({ id, optional }: ReadyStep['step'], outcome: StepOutcome): void {
    outcomes.set(id, outcome)
    if (outcome.status === 'succeeded') answers.set(id, outcome.data)
    else if (!optional) stopped = true
  }

  const isWaiting = (id: string) => !outcomes.has(id) && !begun.has(id)

  return {
    outcomes,
    answers,
    keep,
    isWaiting,
    hasStopped: () => stopped || stopReason !== undefined,
    stop(reason: StopReason | undefined): void {
      stopReason ??= reason
    },
    stopReason: () => stopReason,
    fits: (micros: Micros) => committed + micros <= held,
    begin(id: string, reserved: Micros): void {
      begun.add(id)
      committed += reserved
    },
    free(micros: Micros): void {
      committed -= micros
    },
    async end({ step }: ReadyStep, outcome: StepOutcome): Promise<void> {
      if (outcome.status !== 'succeeded') await save(endName(step.id), outcome)
      keep(step, outcome)
      await report({ phase: 'running', done: outcomes.size, total: steps.length })
    },
    async postpone(id: string, thrown: unknown): Promise<void> {
      postponed.set(id, thrown)
      await save(startName(id), true)
    },
    throwIfPostponed(): void {
      for (const thrown of postponed.values()) throw thrown
    },
    /** The first step that awaits nothing more. */
    findReady: () =>
      steps.find(
        ({ step, awaits }) => isWaiting(step.id) && awaits.every((id) => outcomes.has(id)),
      ),
  }
}

type Running = ReturnType<typeof createRunning>

/** The steps that run now. */
function createRunning(
  { prepare, signal }: Context,
  progress: Progress,
  { late, abandoned }: { late: AbortSignal; abandoned: AbortSignal },
) {
  const prepared = new Map<string, PreparedCall>()
  const running = new Map<string, Promise<void>>()
  const endFailed = (ready: ReadyStep, { code, message }: CallError) =>
    progress.end(ready, { status: 'failed', error: { code, message } })

  /** Never rejects. */
  async function perform(ready: ReadyStep, { quote, run }: PreparedCall): Promise<void> {
    try {
      const { data, charged } = await run(AbortSignal.any([late, abandoned]))
      progress.free(quote.micros - charged)
      const outcome = { status: 'succeeded', data, charged } as const
      await progress.end(ready, outcome).catch((again) => progress.postpone(ready.step.id, again))
    } catch (thrown) {
      if (abandoned.aborted || signal.aborted) return
      await endWithout(ready, quote.micros, thrown).catch(() => {})
    }
  }

  async function endWithout(ready: ReadyStep, reserved: Micros, thrown: unknown): Promise<void> {
    const error = late.aborted ? outOfTime() : failureOf(thrown)
    if (error === undefined) return await progress.postpone(ready.step.id, thrown)
    progress.free(reserved)
    await endFailed(ready, error).catch((again) => progress.postpone(ready.step.id, again))
  }

  return {
    count: () => running.size,
    /** The call of a step. Undefined when it was refused, and the step has ended. */
    async prepare(ready: ReadyStep): Promise<PreparedCall | undefined> {
      const { step } = ready
      const known = prepared.get(step.id)
      if (known !== undefined) return known
      try {
        const params = fillReferences(step.params, progress.answers)
        const call = await prepare(step.action, bodyOf(step, params), stepName(step.id))
        prepared.set(step.id, call)
        return call
      } catch (thrown) {
        signal.throwIfAborted()
        const error = failureOf(thrown)
        if (error === undefined) throw thrown
        await endFailed(ready, error)
        return undefined
      }
    },
    start(ready: ReadyStep, call: PreparedCall): Promise<void> {
      const { id } = ready.step
      progress.begin(id, call.quote.micros)
      const ending = perform(ready, call).finally(() => running.delete(id))
      running.set(id, ending)
      return ending
    },
    /** Resolves when a step has ended. */
    next: () => Promise.race(running.values()),
    /** Resolves when all of them have. */
    rest: () => Promise.all(running.values()),
  }
}

const outOfTime = () =>
  fail('upstream_error', {
    message: 'The plan ran out of time before this step had ended. The step was not charged.',
  })

const stepName = (id: string) => `step/${id}`
/** That a step has begun work elsewhere and waits for it. */
const startName = (id: string) => `begun/${id}`
/** How a step ended that delivered nothing. */
const endName = (id: string) => `ended/${id}`

/** The failure of a step. Undefined for what postpones the whole plan. */
const failureOf = (thrown: unknown): CallError | undefined =>
  thrown instanceof CallError && !passing.has(thrown.code) ? thrown : undefined

/** These are failures of the gateway's own database. The plan is run again when it is back. */
const passing: ReadonlySet<ErrorCode> = new Set(['unavailable', 'payment_pending'])

const aboveRest: StepError = {
  code: 'max_cost_exceeded',
  message:
    'What is left of the max_cost_cents does not cover this step. Raise the ceiling, or send the step by itself.',
}

const stopErrors: Readonly<Record<StopReason, StepError>> = {
  cancelled: { code: 'cancelled', message: 'The plan was cancelled before this step had ended.' },
  given_up: {
    code: 'upstream_error',
    message: 'The gateway failed too often before this step had ended. It was not charged.',
  },
}

function whySkipped(
  failed: string | undefined,
  isLate: boolean,
  reason: StopReason | undefined,
): StepError {
  if (failed !== undefined)
    return {
      code: 'cancelled',
      message: `It was not run: step "${failed}", which it needs, has not succeeded.`,
    }
  if (isLate) return outOfTime()
  if (reason !== undefined) return stopErrors[reason]
  return {
    code: 'cancelled',
    message: 'It was not run: the plan stopped, because a required step failed.',
  }
}
