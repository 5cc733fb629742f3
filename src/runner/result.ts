// {own_ns}/result: reads back what a call answered. Free, and only for the account that called.
import { defineAction, type JobProgress, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { microsToCents, microsToUsd } from '#core/money.ts'
import type { Calls, StoredCall } from './calls.ts'

const waitSecondsMax = 50
const pollIntervalMs = 250

const statusOfState = { held: 'running', settled: 'succeeded', voided: 'failed' } as const

export function createResult({ calls }: { calls: Calls }) {
  return defineAction('result', {
    summary: 'Read back the stored output of an earlier call.',
    notes:
      'Use it with the transaction_id of an answer that was lost, instead of paying for the call again. Outputs are kept for 30 days. Polling is free.',
    synonyms: ['poll', 'replay', 'job status', 'fetch the output again', 'lost response'],
    input: z
      .strictObject({
        transaction_id: z.uuid().optional().describe('The transaction_id of an earlier answer.'),
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
    async run({ input, caller, clock, signal }) {
      const id = input.transaction_id ?? input.job_id ?? ''
      const waitUntil = clock.now() + input.wait_seconds * 1_000
      for (;;) {
        const call = await calls.find(caller.accountId, id)
        if (call === undefined || (input.job_id !== undefined && !call.job)) {
          throw fail('not_found', { message: 'Your account has no call with this id.' })
        }
        if (call.state !== 'held' || clock.now() >= waitUntil) {
          return describe(call)
        }
        await clock.sleep(pollIntervalMs, signal)
      }
    },
  })
}

/** Source: spec, "Job poll result". A transaction is described in the same words. */
function describe(call: StoredCall) {
  const ended = call.state !== 'held'
  return {
    ok: call.state !== 'voided',
    ...(call.job ? { job_id: call.id } : { transaction_id: call.id }),
    action: call.action,
    status: statusOfState[call.state],
    ...(ended || call.progress === null ? {} : { progress: describeProgress(call.progress) }),
    ...(ended && call.output !== null ? { result: JSON.parse(call.output) } : {}),
    ...(call.error === null ? {} : { error: call.error, message: call.message }),
    charged_cents: microsToCents(call.charged, 'up'),
    charged_usd: microsToUsd(call.charged),
  }
}

function describeProgress({ phase, done, total }: JobProgress) {
  return { phase, percent: total === 0 ? 0 : Math.floor((100 * done) / total), done, total }
}
