// {own_ns}/result: reads the answer of an earlier call. Free, and only for the account that made the call.
import { defineAction, type JobProgress, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import { microsToCents, microsToUsd } from '#core/money.ts'
import type { Clock } from '#core/ports.ts'
import type { Payments, RefundState } from '#money/payments/payments.ts'
import { describeRefund } from '../envelope.ts'
import type { CommandJob, FindCommandJob } from '../sessions/command-jobs.ts'
import { showTaskResult } from '../sessions/task.ts'
import type { Calls, KeptAnswer, StoredCall } from './calls.ts'

const waitSecondsMax = 50
const pollIntervalMs = 250

export const statusOfState = { held: 'running', settled: 'succeeded', voided: 'failed' } as const

/**
 * A job by its id, once it has ended or the wait is over. Throws `not_found`. The caller must have checked the right to
 * it.
 */
export type JobPoll = (jobId: string, waitSeconds: number) => Promise<unknown>

interface Dependencies {
  readonly calls: Calls
  readonly payments: Pick<Payments, 'refundOf'>
}

export function createJobPoll({
  clock,
  ...dependencies
}: Dependencies & { clock: Clock }): JobPoll {
  return async (jobId, waitSeconds) => {
    const seconds = Math.min(Math.max(Math.floor(waitSeconds) || 0, 0), waitSecondsMax)
    const look = async () => standingOf(await dependencies.calls.findJob(jobId), dependencies)
    return await waitFor(look, seconds, clock)
  }
}

/** A call or a job as it stands. */
interface Standing {
  readonly isRunning: boolean
  readonly show: () => Promise<object>
}

async function waitFor(
  look: () => Promise<Standing | undefined>,
  waitSeconds: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<object> {
  const waitUntil = clock.now() + waitSeconds * 1_000
  for (;;) {
    const found = await look()
    if (found === undefined) {
      throw fail('not_found', { message: 'Your account has no call with this id.' })
    }
    if (!found.isRunning || clock.now() >= waitUntil) return await found.show()
    await clock.sleep(pollIntervalMs, signal)
  }
}

const standingOf = (
  call: StoredCall | undefined,
  { payments }: Pick<Dependencies, 'payments'>,
): Standing | undefined =>
  call && {
    isRunning: call.state === 'held',
    show: async () => describe(call, await payments.refundOf(call.id)),
  }

export function createResult(
  dependencies: Dependencies & { readonly findCommandJob: FindCommandJob },
) {
  return defineAction('result', {
    summary: 'Read back the stored output of an earlier call.',
    notes:
      'Use it with the transaction_id of an answer that was lost, instead of paying for the call again. Outputs are kept for 30 days. Polling is free. Ids that vendors issue are polled by their own actions, such as ns_enrich/result and ns_render_b/crawl_status.',
    synonyms: [
      'poll a job',
      'is it done',
      'job finished',
      'replay',
      'job status',
      'fetch the output again',
      'lost response',
    ],
    questions: [
      'is my job finished?',
      'give me the output of an earlier call again',
      'I lost the response of a paid call',
    ],
    input: z
      .strictObject({
        transaction_id: z
          .uuid()
          .optional()
          .describe('The transaction_id of an earlier answer, or of a citation of onesearch.'),
        job_id: z.uuid().optional().describe('The job_id of an asynchronous call.'),
        wait_seconds: z
          .int()
          .min(0)
          .max(waitSecondsMax)
          .default(0)
          .describe('Wait this long for a call that is still running.'),
      })
      .refine(
        ({ transaction_id, job_id }) => (transaction_id === undefined) !== (job_id === undefined),
        {
          message: 'Send either transaction_id or job_id',
        },
      ),
    output: z.looseObject({
      ok: z.boolean(),
      status: z.enum(['running', 'succeeded', 'failed']),
      charged_cents: z.int().describe('What the call itself cost.'),
    }),
    price: 'free',
    example: { input: { transaction_id: '01970000-0000-7000-8000-000000000000' }, cents: 0 },
    takes: { 'job or transaction id': { fills: (id) => ({ job_id: id }) } },
    async run({ input, caller, clock, signal }) {
      const id = input.transaction_id ?? input.job_id ?? ''
      const owner = ownerOf(caller)
      const look = async (): Promise<Standing | undefined> => {
        const call = await dependencies.calls.find(owner, id)
        const kept =
          call === undefined &&
          input.transaction_id !== undefined &&
          (await dependencies.calls.findKept(owner, id))
        if (kept) return { isRunning: false, show: async () => describeKept(kept) }
        if (input.job_id === undefined || call?.job) return standingOf(call, dependencies)
        const command = await dependencies.findCommandJob(owner, id)
        return (
          command && {
            isRunning: command.state === 'running',
            show: async () => describeCommand(command),
          }
        )
      }
      return (await waitFor(look, input.wait_seconds, clock, signal)) as ReturnType<typeof describe>
    },
  })
}

/** Source: spec, "Job poll result". A transaction has the same fields. */
function describe(call: StoredCall, refund: RefundState | undefined) {
  const ended = call.state !== 'held'
  return {
    ok: call.state !== 'voided',
    ...(call.job ? { job_id: call.id } : { transaction_id: call.id }),
    action: call.action,
    status: statusOfState[call.state],
    ...(ended || call.progress === null ? {} : { progress: describeProgress(call.progress) }),
    ...(ended && call.output !== null && call.error !== 'settlement_failed'
      ? { result: JSON.parse(call.output) }
      : {}),
    ...(call.error === null ? {} : { error: call.error, message: call.message }),
    charged_cents: microsToCents(call.charged, 'up'),
    charged_usd: microsToUsd(call.charged),
    ...(refund === undefined ? {} : { refund: describeRefund(refund) }),
  }
}

/** What it cost is part of the price of its call. */
function describeKept({ id, callId, action, output }: KeptAnswer) {
  return {
    ok: true,
    transaction_id: id,
    paid_by_transaction_id: callId,
    action,
    status: 'succeeded',
    result: JSON.parse(output),
    charged_cents: 0,
    charged_usd: microsToUsd(0),
  }
}

const notKept = 'The command has run. Its result is not kept any more: look for its effects.'

/** A command costs nothing of its own: its session is charged for its use. */
function describeCommand({ id, state, result, failure }: CommandJob) {
  return {
    ok: state !== 'failed',
    job_id: id,
    action: 'session',
    status: state,
    ...(result === null ? {} : { result: showTaskResult(result) }),
    ...(failure === null ? {} : { error: failure.code, message: failure.message }),
    ...(state === 'succeeded' && result === null ? { message: notKept } : {}),
    charged_cents: 0,
    charged_usd: microsToUsd(0),
  }
}

export function describeProgress({ phase, done, total }: JobProgress) {
  return { phase, percent: total === 0 ? 0 : Math.floor((100 * done) / total), done, total }
}
