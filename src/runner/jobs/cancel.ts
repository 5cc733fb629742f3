// {own_ns}/cancel: ends a job early. Free, and only for the account that submitted it.
import { defineAction, z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { opensSession } from '#core/calls/action-mode.ts'
import { type Catalog, findAny } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'
import type { Calls, StoredCall } from '../history/calls.ts'
import type { CommandJobs } from '../sessions/command-jobs.ts'
import { endingOf } from './work.ts'

interface OpenJobDependencies {
  readonly database: Database
  readonly ledger: Pick<Ledger, 'settle'>
}

/** Cancels an open job. Undefined when it has ended, or has begun and cannot be stopped. */
export type CancelOpenJob = (
  job: { readonly id: string; readonly accountId: string },
  options: { readonly stopsEarly: boolean },
) => Promise<'cancelled' | 'stopping' | undefined>

export function createCancelOpenJob({ database, ledger }: OpenJobDependencies): CancelOpenJob {
  return async ({ id, accountId }, { stopsEarly }) => {
    const cancelled = await markCancelled(database, id, { stopsEarly })
    if (cancelled === undefined) return undefined
    if (cancelled === 'begun') return 'stopping'
    // The worker that takes the job does the same, if this gateway dies here.
    await ledger.settle({ callId: id, accountId, ...endingOf(fail('cancelled')) })
    return 'cancelled'
  }
}

interface Dependencies extends OpenJobDependencies {
  readonly calls: Pick<Calls, 'find'>
  readonly catalog: () => Catalog
  readonly cancelCommand: CommandJobs['cancel']
}

export function createCancel({ calls, catalog, cancelCommand, ...rest }: Dependencies) {
  const cancelOpenJob = createCancelOpenJob(rest)
  const cancelOpen = ({ id, action }: StoredCall, accountId: string) => {
    const stopsEarly = findAny(catalog(), action)?.action.stopsEarly === true
    return cancelOpenJob({ id, accountId }, { stopsEarly })
  }

  function isSession({ action }: StoredCall) {
    const entry = findAny(catalog(), action)
    return entry !== undefined && opensSession(entry.action)
  }

  return defineAction('cancel', {
    summary: 'Cancel a job, and keep what it has delivered.',
    notes:
      'A job that has not begun is cancelled at once and costs nothing. A plan or batch that has begun starts no further step; steps under way end, and what was delivered is charged and returned by result. A command that runs as a job in a session is stopped. Other jobs, such as onescrape-deep, cannot be cancelled once they have begun. Searches for companies are ended by ns_company/job-control, and sessions by their own address.',
    synonyms: ['abort a job', 'stop a plan', 'call off', 'kill a job'],
    questions: [
      'how do I stop my running plan?',
      'cancel the job that I have just submitted',
      'abort a batch before it spends more',
    ],
    removes: [
      'job',
      'plan',
      'batch',
      'run',
      'running',
      'workflow',
      'pipeline',
      'started',
      'submitted',
      'steps',
      'task',
      'render',
      'crawl',
    ],
    input: z.strictObject({ job_id: z.uuid().describe('The job_id of an asynchronous call.') }),
    output: z.object({
      job_id: z.string(),
      status: z
        .enum(['cancelled', 'stopping', 'ended'])
        .describe(
          'stopping: it ends with what it has delivered; poll result. ended: it had ended before.',
        ),
    }),
    price: 'free',
    example: { input: { job_id: '01970000-0000-7000-8000-000000000000' }, cents: 0 },
    async run({ input: { job_id }, caller }) {
      const owner = ownerOf(caller)
      const command = await cancelCommand(owner, job_id)
      if (command !== undefined) return { job_id, status: command }
      const find = async () => {
        const call = await calls.find(owner, job_id)
        if (call?.job && isSession(call)) throw fail('bad_request', { message: sessionMessage })
        if (call?.job) return call
        throw fail('not_found', { message: 'Your account has no job with this id.' })
      }
      const call = await find()
      const status = call.state === 'held' ? await cancelOpen(call, owner.accountId) : 'ended'
      if (status !== undefined) return { job_id, status }
      const { state } = await find()
      if (state === 'held') throw fail('job_begun')
      return { job_id, status: 'ended' as const }
    },
  })
}

const sessionMessage =
  'This is a session, not a job. Close it at DELETE /api/v1/sessions/{session_id}: it is charged for its use.'

/** One that has begun is marked only if it `stopsEarly`. Undefined when it is not marked, or has ended. */
async function markCancelled(
  database: Database,
  callId: string,
  { stopsEarly }: { stopsEarly: boolean },
): Promise<'unbegun' | 'begun' | undefined> {
  // A wallet's payment may be on its way: its job is queued when it has settled.
  const [job] = await database.query<{ cancelled: 'unbegun' | 'begun' }>(
    `with job as (
       select id, started_at is null and payment_id is null
         and not exists (select from checkpoint where call_id = id) as is_unbegun
       from call where id = $1 and state = 'held' and job
         and not exists (select from session where call_id = call.id) for update
     )
     update call set cancelled = coalesce(cancelled, case when is_unbegun then 'unbegun' else 'begun' end)
     from job where call.id = job.id and ($2 or is_unbegun or cancelled is not null)
     returning cancelled`,
    [callId, stopsEarly],
  )
  return job?.cancelled
}
