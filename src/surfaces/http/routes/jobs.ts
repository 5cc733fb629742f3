// The jobs of an account or a wallet, and the status_url of a wallet's job. This URL is signed, so the wallet polls it
// without a payment or a proof.
import type { FastifyInstance } from 'fastify'
import { z } from '#core/action.ts'
import { ownerOf } from '#core/caller.ts'
import { fail } from '#core/errors.ts'
import type { UrlSigner } from '#core/ports.ts'
import { envelope } from '#runner/envelope.ts'
import type { JobList, JobPlace, JobRow } from '#runner/history/job-list.ts'
import { describeProgress, type JobPoll, statusOfState } from '#runner/history/result.ts'
import type { Jobs } from '#runner/jobs/jobs.ts'
import { addRoute } from '../../doors/add-route.ts'
import { showAmount } from '../../doors/input.ts'
import type { ReadJobStatus } from '../../doors/reading.ts'
import { defineRoute } from '../../doors/route.ts'
import { integer, list, object, objectWith, page, text, textOrNull } from '../../doors/shapes.ts'
import { pageFields, pageOf } from '../paging.ts'
import { signature } from '../signed-query.ts'
import { stateOfStatus } from './transaction-rows.ts'

const statusPurpose = 'job status'
const wakePurpose = 'job wake'
/** The output of a job is kept for the same time. */
const statusLifetimeMs = 30 * 86_400_000
/** Longer than any job waits for a vendor. */
const wakeLifetimeMs = 86_400_000

interface StatusQuery {
  readonly exp?: string
  readonly sig?: string
  readonly wait_seconds?: string
}

export function createJobStatus({
  poll,
  signer,
}: {
  poll: JobPoll
  signer: UrlSigner
}): ReadJobStatus {
  return async (jobId, signature, waitSeconds) => {
    if (!signer.accepts(statusPurpose, jobId, signature)) {
      throw fail('not_found', {
        message:
          'This status address is invalid or has expired. Use the status_url exactly as you received it.',
      })
    }
    return envelope({ output: JSON.stringify(await poll(jobId, waitSeconds)), charged: 0 })
  }
}

export function createJobWake({ jobs, signer }: { jobs: Pick<Jobs, 'wake'>; signer: UrlSigner }) {
  return async (jobId: string, given: StatusQuery) => {
    if (!signer.accepts(wakePurpose, jobId, given)) {
      throw fail('not_found', { message: 'This address is invalid or has expired.' })
    }
    await jobs.wake(jobId)
  }
}

/** A group and the id of a job, because jobs that run come first. */
const cursor = /^(running|ended)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

const jobsQuery = z.strictObject({
  ...pageFields,
  state: z.enum(['running', 'succeeded', 'failed']).optional().describe('Jobs in this state.'),
  cursor: z.string().regex(cursor).optional().describe('The next_cursor of the page before.'),
})

function readPlace(text = ''): JobPlace | undefined {
  const [, group, id] = cursor.exec(text) ?? []
  return id === undefined ? undefined : { group: group as JobPlace['group'], id }
}

const placeOf = ({ id, state }: JobRow) => `${state === 'held' ? 'running' : 'ended'}.${id}`

function showJob(job: JobRow) {
  const { id, action, state, progress, error, message } = job
  return {
    job_id: id,
    action,
    state: statusOfState[state],
    progress: state === 'held' && progress !== null ? describeProgress(progress) : null,
    ...showAmount('held', state === 'held' ? job.held : 0, 'up'),
    ...showAmount('charged', job.charged, 'up'),
    ...(error === null ? {} : { error, message }),
    created_at: job.createdAt,
    ended_at: job.endedAt,
  }
}

const job = objectWith(
  {
    job_id: text,
    action: text,
    state: { enum: ['running', 'succeeded', 'failed'] },
    progress: {
      type: ['object', 'null'],
      properties: { phase: text, percent: integer, done: integer, total: integer },
    },
    held_cents: integer,
    held_usd: text,
    charged_cents: integer,
    charged_usd: text,
    created_at: text,
    ended_at: textOrNull,
  },
  { error: text, message: textOrNull },
)

export const readJobStatus = defineRoute({
  method: 'get',
  path: '/api/jobs/{id}',
  checksInput: true,
  summary: 'Poll the job of a wallet at its signed status_url.',
  query: signature.extend({ wait_seconds: z.string().optional() }),
  answer: { $ref: '#/components/schemas/Envelope' },
  errors: ['not_found'],
})
export const wakeJob = defineRoute({
  method: 'post',
  path: '/api/jobs/{id}/wake',
  checksInput: true,
  summary:
    'Tell, as a vendor whose work is done, that a job can go on. The gateway gives the signed address to vendors. The body is ignored.',
  query: signature,
  status: 202,
  answer: object({ ok: { const: true } }),
  errors: ['not_found'],
})
export const listJobs = defineRoute({
  method: 'get',
  path: '/api/v1/jobs',
  who: 'owner',
  summary:
    'The jobs of the account: those that run first, then those that have ended, each newest first.',
  query: jobsQuery,
  answer: page({ jobs: list(job) }),
  errors: ['bad_request'],
})

export function addJobRoutes(
  server: FastifyInstance,
  {
    readStatus,
    wake,
    jobs,
  }: { readStatus: ReadJobStatus; wake: ReturnType<typeof createJobWake>; jobs: JobList },
) {
  addRoute(server, listJobs, async ({ caller, query }) => {
    const { state, cursor: after, limit } = query
    const found = await jobs.list(ownerOf(caller), {
      state: state && stateOfStatus[state],
      after: readPlace(after),
      limit: limit + 1,
    })
    const { rows, next_cursor } = pageOf(found, limit, placeOf)
    return { jobs: rows.map(showJob), next_cursor }
  })

  addRoute(server, wakeJob, async ({ request, params }) => {
    await wake(params.id, request.query as StatusQuery)
    return { ok: true }
  })

  // A signature that is missing or wrong is answered like one that has expired.
  addRoute(server, readJobStatus, async ({ request, params }, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    const query = request.query as StatusQuery
    return await readStatus(params.id, query, Number(query.wait_seconds ?? 0))
  })
}

/** The path and query of a job's status address. */
export function signStatusPath(signer: UrlSigner, jobId: string, nowMs: number): string {
  return `/api/jobs/${jobId}?${signer.sign(statusPurpose, jobId, nowMs + statusLifetimeMs)}`
}

export function signWakePath(signer: UrlSigner, jobId: string, nowMs: number): string {
  return `/api/jobs/${jobId}/wake?${signer.sign(wakePurpose, jobId, nowMs + wakeLifetimeMs)}`
}
