// A part of a job that another action does. Its answer is a checkpoint, so that it is paid for once.
import type { Hop, JobContext } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import type { Micros } from '#core/money.ts'
import type { UntoldCall } from './trail.ts'

/** The part of the context that only jobs get. */
export type JobExtras = Pick<
  JobContext<unknown>,
  'report' | 'stopReason' | 'checkpoints' | 'save' | 'jobId' | 'wakeUrl'
>

export const noJob: JobExtras = {
  checkpoints: new Map(),
  save: async () => {},
  report: async () => {},
  stopReason: async () => undefined,
  jobId: '',
}

export interface StepResult {
  readonly data: unknown
  readonly hop: Hop
  /** Its part of the price. The hop rounds it. */
  readonly charged: Micros
  /** What it cost the operator, as far as providers report it. */
  readonly cost?: Micros
  /** Absent in what a gateway of the version before has saved. */
  readonly untold?: readonly UntoldCall[]
}

export interface JobStep {
  /** The result that an earlier try has saved. */
  readonly done: StepResult | undefined
  readonly finish: (result: StepResult) => Promise<void>
}

/** The step of this name, and what the inner action gets of the job. Empty for a call that is not part of a job. */
export function stepOf(
  job: JobExtras,
  name: string | undefined,
): { readonly step?: JobStep; readonly job?: JobExtras } {
  if (name === undefined || job.jobId === '') return {}
  const { checkpoints, save, jobId, wakeUrl } = job
  const below = `${name}/`
  const own = [...checkpoints]
    .filter(([checkpoint]) => checkpoint.startsWith(below))
    .map(([checkpoint, value]) => [checkpoint.slice(below.length), value] as const)
  return {
    step: {
      done: checkpoints.get(name) as StepResult | undefined,
      finish: (result) => save(name, result),
    },
    job: {
      jobId,
      wakeUrl,
      checkpoints: new Map(own),
      save: (checkpoint, value) => save(below + checkpoint, value),
      // The whole job tells its progress.
      report: async () => {},
      // The whole job stops.
      stopReason: async () => undefined,
    },
  }
}

/** Whether a job inside another one is not run again after this failure. */
export const isFinal = (thrown: unknown) =>
  thrown instanceof CallError && thrown.code !== 'unavailable' && thrown.code !== 'payment_pending'
