// Tools that run actions, and read what they have answered.
import { z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import type { ActionAnswer, ShapeAnswer } from '../answer.ts'
import type { CallEnvelope } from '../envelope.ts'
import { callShape, idempotencyKey, select, waitSeconds } from './fields.ts'
import { withCeiling } from './finding.ts'
import { acts, defineTool, readsOnly, type Tool, type ToolCall } from './tool.ts'

/** A job that is still running is looked at again, and its progress reported, after this time. */
const lookSeconds = 2

interface Dependencies {
  catalog: Catalog
  ownNamespace: string
  shape: ShapeAnswer
}

export function createRunningTools(dependencies: Dependencies): readonly Tool[] {
  const { catalog, ownNamespace, shape } = dependencies
  const waitFor = createWait(ownNamespace)
  const offers = (action: string) => catalog.find(ownNamespace, action) !== undefined
  return [
    defineTool({
      name: 'run',
      title: 'Run an action',
      description:
        'Run one action and pay for it; failed calls are free. A job answers with a job_id: read it with result, or set wait_seconds.',
      annotations: acts,
      input: z.strictObject({
        ...callShape,
        idempotency_key: idempotencyKey,
        wait_seconds: waitSeconds,
        select,
      }),
      async run({ action, params, max_cost_cents, idempotency_key, wait_seconds, select }, call) {
        const body = withCeiling(params, max_cost_cents)
        const answer = await call.run({ action, params: body, idempotencyKey: idempotency_key })
        const ended = await waitFor(answer, wait_seconds, call)
        return await shape(ended, { select, caller: call.caller })
      },
    }),
    ...(offers('batch') ? [defineBatch(`${ownNamespace}/batch`, waitFor, shape)] : []),
    defineTool({
      name: 'result',
      title: 'Read a result',
      description:
        'Read a job, or the stored answer of an earlier call, by its id. Free. Outputs are kept for 30 days.',
      annotations: readsOnly,
      input: z.strictObject({
        job_id: z.string().optional(),
        transaction_id: z.string().optional(),
        wait_seconds: waitSeconds,
        select,
      }),
      async run({ wait_seconds, select, ...ids }, call) {
        const envelope = await readResult(ownNamespace, ids, wait_seconds, call)
        return await shape({ envelope, isJobStatus: true }, { select, caller: call.caller })
      },
    }),
  ]
}

type Wait = (answer: CallEnvelope, seconds: number, call: ToolCall) => Promise<ActionAnswer>

function defineBatch(action: string, waitFor: Wait, shape: ShapeAnswer): Tool {
  return defineTool({
    name: 'batch',
    title: 'Run calls at once',
    description:
      'Run up to 20 independent calls side by side as one job, under one ceiling. A call that fails is free and does not stop the others.',
    annotations: acts,
    input: z.strictObject({
      calls: z.array(z.strictObject(callShape)).min(1).max(20),
      max_cost_cents: z.int().min(0).optional().describe('Ceiling of all calls together.'),
      idempotency_key: idempotencyKey,
      wait_seconds: waitSeconds,
    }),
    async run({ calls, max_cost_cents, idempotency_key, wait_seconds }, call) {
      const answer = await call.run({
        action,
        params: withCeiling({ calls }, max_cost_cents),
        idempotencyKey: idempotency_key,
      })
      const ended = await waitFor(answer, wait_seconds, call)
      return await shape(ended, { select: undefined, caller: call.caller })
    },
  })
}

/** Waits for the job that `answer` is the handle of. The answer of any other call has ended already. */
function createWait(ownNamespace: string): Wait {
  return async (answer, seconds, call) => {
    const { job_id: jobId } = (answer.data ?? {}) as { job_id?: unknown }
    // The id of a job of the gateway, and not one that a vendor has issued.
    const isJob = typeof jobId === 'string' && (answer.data as { async?: unknown }).async === true
    // A wallet polls its job by the status_url of its handle: result would ask it for another proof.
    if (!isJob || seconds === 0 || call.caller === undefined)
      return { envelope: answer, isJobStatus: false }
    const envelope = await readResult(ownNamespace, { job_id: jobId }, seconds, call)
    return { envelope, isJobStatus: true }
  }
}

async function readResult(
  ownNamespace: string,
  ids: { readonly job_id?: string | undefined; readonly transaction_id?: string | undefined },
  seconds: number,
  call: ToolCall,
): Promise<CallEnvelope> {
  for (let left = seconds; ; left -= lookSeconds) {
    const wait_seconds = Math.min(left, lookSeconds)
    const params = { ...ids, wait_seconds }
    const answer = await call.run({ action: `${ownNamespace}/result`, params })
    const { status, progress } = answer.data as Result
    if (status !== 'running' || left <= lookSeconds || call.signal.aborted) return answer
    if (progress !== undefined) await call.report(progress.percent, progress.phase)
  }
}

interface Result {
  readonly status: string
  readonly progress?: { readonly percent: number; readonly phase: string }
}
