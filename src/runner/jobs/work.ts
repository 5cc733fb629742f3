// One try at a job: runs it from its checkpoints, and ends its call with a charge or without one.
import { defaultTimeoutMs, splitId } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import { settleHeld } from '#core/pricing/override.ts'
import { unitsOf } from '#core/pricing/units.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Executor } from '../execute/execute.ts'
import { PostponedError } from '../execute/postponed.ts'
import { costOf, openTrail, type Trail, timelineOf } from '../execute/trail.ts'
import type { OpenJob, OpenJobs } from './open-jobs.ts'
import type { JobQueue, QueuedJob } from './queue.ts'

const databaseAwayDelayMs = 5_000
/** A job may be queued twice. Its next try waits until the one that is under way is over. */
const atWorkDelayMs = 2_000

type Ending = Omit<Parameters<Ledger['settle']>[0], 'callId' | 'accountId' | 'timeline' | 'cost'>

interface Dependencies {
  executor: Executor
  ledger: Pick<Ledger, 'settle'>
  openJobs: OpenJobs
  queue: Pick<JobQueue, 'sendLater'>
  /** Brings what is sold up to date: another gateway may have admitted the job to what is new. */
  refreshOffers: () => Promise<void>
  /** See JobContext. */
  wakeUrlOf: (callId: string) => string | undefined
  log: Log
  /** Aborts when the gateway stops. */
  stopping: AbortSignal
}

export interface JobWork {
  /** Throws what the queue should retry. */
  work(callId: string, signal: AbortSignal): Promise<void>
  /**
   * Ends a job that failed too often: with what it has delivered if it `stopsEarly`, and otherwise without a charge. A
   * job that has saved a part meanwhile gets as many tries again.
   */
  giveUp(queued: QueuedJob, signal: AbortSignal): Promise<void>
}

export function createJobWork(dependencies: Dependencies): JobWork {
  const { executor, ledger, openJobs, queue, refreshOffers, log, stopping } = dependencies

  /** If the gateway dies here, the job is queued twice. */
  async function takeUpLater({ callId, action: id, savedCount }: OpenJob, delayMs: number) {
    const { timeoutMs = defaultTimeoutMs } = executor.resolve(...splitId(id), {
      isBegun: true,
    }).action
    await queue.sendLater({ callId, savedBefore: savedCount }, timeoutMs, delayMs)
  }

  async function end({ callId, caller }: OpenJob, ending: Ending, trail: Trail) {
    const cost = costOf(trail, ending.charged)
    const timeline = timelineOf(trail)
    await ledger.settle({ callId, accountId: caller.accountId, cost, ...ending, timeline })
  }

  const trailOf = ({ caller, held, action, input }: OpenJob) =>
    openTrail(caller, undefined, held, executor.shown(action, input))

  async function withJob(callId: string, attempt: (job: OpenJob) => Promise<void>) {
    const job = await openJobs.take(callId)
    // The job has ended, but the queue did not know.
    if (job === undefined) return
    await attempt(job).finally(async () => {
      if (!job.isAtWork) await openJobs.leave(callId)
    })
  }

  async function attempt(job: OpenJob, signal: AbortSignal) {
    const trail = trailOf(job)
    if (job.isVoid) return await end(job, endingOf(fail('cancelled')), trail)
    try {
      await end(job, await run(dependencies, job, { trail, signal }), trail)
    } catch (thrown) {
      const next = nextStep(thrown, stopping.aborted)
      if (next.kind === 'later') return await takeUpLater(job, next.delayMs)
      if (next.kind === 'end') return await end(job, endingOf(next.error), trail)
      if (!stopping.aborted) log.error({ err: thrown }, 'A job failed and will be retried.')
      throw thrown
    }
  }

  async function endExhausted(job: OpenJob, savedBefore: number, signal: AbortSignal) {
    if (job.savedCount > savedBefore) return await takeUpLater(job, 0)
    const trail = trailOf(job)
    try {
      const { stopsEarly } = executor.resolve(...splitId(job.action), { isBegun: true }).action
      if (!stopsEarly) throw failedTooOften()
      await end(job, await run(dependencies, job, { trail, signal, isGivenUp: true }), trail)
    } catch (thrown) {
      if (stopping.aborted || (thrown instanceof CallError && isDatabaseAway(thrown))) throw thrown
      if (!(thrown instanceof CallError)) log.error({ err: thrown }, 'A job was given up.')
      await end(job, endingOf(failedTooOften()), trail)
    }
  }

  return {
    async work(callId, signal) {
      await refreshOffers()
      // Two tries at once would buy the same things twice.
      await withJob(callId, (job) =>
        job.isAtWork ? takeUpLater(job, atWorkDelayMs) : attempt(job, signal),
      )
    },
    // This buys nothing, so it need not wait for a try that hangs.
    giveUp: ({ callId, savedBefore }, signal) =>
      withJob(callId, (job) => endExhausted(job, savedBefore, signal)),
  }
}

interface Try {
  readonly trail: Trail
  readonly signal: AbortSignal
  /** The last one, which only returns what the job has delivered. */
  readonly isGivenUp?: boolean
}

async function run(
  { executor, openJobs, stopping, wakeUrlOf }: Dependencies,
  { callId, action, input, held }: OpenJob,
  { trail, signal, isGivenUp = false }: Try,
): Promise<Ending> {
  const entry = executor.resolve(...splitId(action), { isBegun: true })
  const hold = new AbortController()
  const { data, output } = await executor.execute(entry, input, trail, {
    signal: AbortSignal.any([signal, stopping, hold.signal]),
    job: {
      checkpoints: await openJobs.checkpoints(callId),
      save: (name, value) => openJobs.save(callId, name, value),
      async report(progress) {
        // Nothing more is paid for.
        if (!(await openJobs.report(callId, progress))) hold.abort(holdEnded())
      },
      async stopReason() {
        if (isGivenUp) return 'given_up'
        return (await openJobs.isCancelled(callId)) ? 'cancelled' : undefined
      },
      jobId: callId,
      wakeUrl: wakeUrlOf(callId),
    },
  })
  // The job costs what it was quoted, though the price may be another one by now.
  const price = executor.catalogPrice(entry)
  trail.units = unitsOf(price, input, data)
  const charged = settleHeld(price, held, input, data)
  return { state: 'settled', charged, output }
}

const failedTooOften = () =>
  fail('upstream_error', {
    message: 'The job failed too often. Nothing was charged. Submit it again.',
  })

const holdEnded = () =>
  fail('upstream_error', {
    message: 'The job took too long. Nothing was charged; submit it again.',
  })

type NextStep =
  | { readonly kind: 'later'; readonly delayMs: number }
  | { readonly kind: 'end'; readonly error: CallError }
  | { readonly kind: 'retry' }

/** What follows a try that threw. A stopping gateway or an unavailable database does not count against the job. */
export function nextStep(thrown: unknown, isStopping: boolean): NextStep {
  if (thrown instanceof PostponedError) return { kind: 'later', delayMs: thrown.delayMs }
  if (isStopping || !(thrown instanceof CallError)) return { kind: 'retry' }
  return isDatabaseAway(thrown)
    ? { kind: 'later', delayMs: databaseAwayDelayMs }
    : { kind: 'end', error: thrown }
}

function isDatabaseAway({ code }: CallError): boolean {
  return code === 'unavailable' || code === 'payment_pending'
}

export function endingOf({ code, message, data }: CallError): Ending {
  const output = data === undefined ? undefined : JSON.stringify(data)
  return { state: 'voided', charged: 0, error: code, message, output }
}
