// These tools run actions and read what the actions have answered.
import { z } from '#core/action.ts'
import type { Catalog } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { ReadJobStatus } from '../../doors/reading.ts'
import type { ActionAnswer, ShapeAnswer } from '../answer.ts'
import { anyData, type CallEnvelope } from '../envelope.ts'
import { callShape, idempotencyKey, select, waitSeconds } from './fields.ts'
import { withCeiling } from './finding.ts'
import { acts, defineTool, readsOnly, type Tool, type ToolCall } from './tool.ts'

/** A job that is still running is looked at again, and its progress reported, after this time. */
const lookSeconds = 2

interface Dependencies {
  catalog: Catalog
  ownNamespace: string
  shape: ShapeAnswer
  readStatus: ReadJobStatus
}

export function createRunningTools(dependencies: Dependencies): readonly Tool[] {
  const { catalog, ownNamespace, shape } = dependencies
  const lookAt = createLooks(dependencies)
  const waitFor = createWait(lookAt)
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
        idempotency_key: idempotencyKey.describe(
          'The same key and call again: the stored answer, not charged twice.',
        ),
        wait_seconds: waitSeconds.describe('Wait for a job this long.'),
        select: select.describe(
          'Keep only these fields of the answer: JSON pointers, * for each: /results/*/title.',
        ),
      }),
      data: anyData,
      async run({ action, params, max_cost_cents, idempotency_key, wait_seconds, select }, call) {
        const body = withCeiling(params, max_cost_cents)
        const { listener } = call
        const ordered = { action, params: body, idempotencyKey: idempotency_key, listener }
        const answer = await call.run(ordered)
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
        status_url: z.string().optional().describe('Of a job that a wallet has paid for.'),
        wait_seconds: waitSeconds,
        select,
      }),
      async run({ wait_seconds, select, ...sent }, call) {
        const envelope = await follow(lookAt(sent, call), wait_seconds, call)
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
function createWait(lookAt: LookAt): Wait {
  return async (answer, seconds, call) => {
    const handle = (answer.data ?? {}) as Handle
    // The id of a job of the gateway, and not one that a vendor has issued.
    const isJob = typeof handle.job_id === 'string' && handle.async === true
    if (!isJob || seconds === 0) return { envelope: answer, isJobStatus: false }
    const { job_id, status_url } = handle
    const look = lookAt(status_url === undefined ? { job_id } : { status_url }, call)
    try {
      const followed = await follow(look, seconds, call)
      return { envelope: { ...followed, ...chargeOf(followed) }, isJobStatus: true }
    } catch {
      // The job goes on. A refusal would tell the client to send it again, and it would pay twice.
      return { envelope: answer, isJobStatus: false }
    }
  }
}

/** Reading a job is free, but the call that began it is charged what the job is. */
function chargeOf({ data }: CallEnvelope): CallEnvelope {
  const { charged_cents, charged_usd } = data as Result
  return {
    ...(charged_cents !== undefined && { charged_cents }),
    ...(charged_usd !== undefined && { charged_usd }),
  }
}

interface Handle {
  readonly job_id?: string
  readonly async?: boolean
  /** The address is signed, so a wallet shows no second proof of its address. */
  readonly status_url?: string
}

interface Earlier {
  readonly job_id?: string | undefined
  readonly transaction_id?: string | undefined
  readonly status_url?: string | undefined
}

interface Look {
  (waitSeconds: number): Promise<CallEnvelope>
  /** It uses up a proof of the wallet's address. */
  readonly once: boolean
}

type LookAt = (earlier: Earlier, call: ToolCall) => Look

function createLooks({
  ownNamespace,
  readStatus,
}: Pick<Dependencies, 'ownNamespace' | 'readStatus'>): LookAt {
  const action = `${ownNamespace}/result`
  return ({ status_url, ...ids }, call) => {
    if (status_url === undefined)
      return Object.assign(
        (wait_seconds: number) => call.run({ action, params: { ...ids, wait_seconds } }),
        { once: call.caller === undefined },
      )
    if (Object.values(ids).some((id) => id !== undefined))
      throw fail('bad_request', { message: 'Send one of job_id, transaction_id and status_url.' })
    const { pathname, searchParams } = URL.parse(status_url) ?? {}
    const jobId = pathname?.split('/').at(-1) ?? ''
    const signature = Object.fromEntries(searchParams ?? [])
    const look = async (seconds: number) => JSON.parse(await readStatus(jobId, signature, seconds))
    return Object.assign(look, { once: false })
  }
}

/** Looks until the call has ended or the wait is over, and reports the progress in between. */
async function follow(look: Look, seconds: number, call: ToolCall): Promise<CallEnvelope> {
  if (look.once) return await look(seconds)
  for (let left = seconds; ; left -= lookSeconds) {
    const answer = await look(Math.min(left, lookSeconds))
    const { status, progress } = answer.data as Result
    if (status !== 'running' || left <= lookSeconds || call.signal.aborted) return answer
    if (progress !== undefined) await call.report(progress.percent, progress.phase)
  }
}

interface Result {
  readonly status: string
  readonly charged_cents?: number
  readonly charged_usd?: string
  readonly progress?: { readonly percent: number; readonly phase: string }
}
