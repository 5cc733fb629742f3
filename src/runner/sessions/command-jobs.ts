// Commands that are answered at once, with an id. Their results are read by it, so that a client which gives up early
// loses nothing. A job is never repeated: one whose gateway stopped has failed.
import type { Owner } from '#core/caller.ts'
import { type CallError, fail, toCallError } from '#core/errors.ts'
import { uuidv7 } from '#core/id.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { digestRequest } from '../idempotency.ts'
import { forgetOldAnswers } from './repeats.ts'
import type { SessionTask, TaskResult } from './task.ts'
import { untilWritten } from './until-written.ts'

/** What is kept of stdout and of stderr, each. */
const outputCharactersMax = 500_000
/** How often a gateway looks whether another one has cancelled a job that it runs. */
const cancelPollMs = 1_000

type Failure = Pick<CallError, 'code' | 'message'>

export interface CommandJob {
  readonly id: string
  readonly state: 'running' | 'succeeded' | 'failed'
  /** Null for a job that runs or failed, and for one so old that its result is not kept. */
  readonly result: TaskResult | null
  readonly failure: Failure | null
}

export interface BegunJob {
  readonly jobId: string
  /** The job was begun by an earlier request with the same idempotency key. */
  readonly isRepeated: boolean
}

const stopped: Failure = {
  code: 'unavailable',
  message:
    'The gateway stopped while this command ran. Look for its effects in the session, and send it again if there are none.',
}

/** What the command has done stays done, and its session is charged for its use as before. */
const cancellation = () =>
  fail('cancelled', {
    message: 'You cancelled this command. What it did before stays in the session.',
  })

/** A job by its id, for the owner of its session. */
export type FindCommandJob = (owner: Owner, jobId: string) => Promise<CommandJob | undefined>

export function createCommandJobReader(database: Database): FindCommandJob {
  return async ({ accountId, keyId }, jobId) => {
    const [row] = await database.query<{
      hasEnded: boolean
      answer: string | null
      failure: string | null
      isUnderWay: boolean
    }>(
      `select c.has_ended as "hasEnded", c.answer, c.failure, gateway_lives(c.gateway_id) as "isUnderWay"
       from session_command c join session s on s.id = c.session_id
       where c.job_id = $1 and s.account_id = $2 and ($3::uuid is null or s.key_id = $3)`,
      [jobId, accountId, keyId ?? null],
    )
    if (row === undefined) return undefined
    const { hasEnded, answer, failure, isUnderWay } = row
    const failed: Failure | undefined = failure === null ? undefined : JSON.parse(failure)
    if (failed !== undefined || (!hasEnded && !isUnderWay))
      return { id: jobId, state: 'failed', result: null, failure: failed ?? stopped }
    const result: TaskResult | null = answer === null ? null : JSON.parse(answer)
    return { id: jobId, state: hasEnded ? 'succeeded' : 'running', result, failure: null }
  }
}

export type CommandJobs = ReturnType<typeof createCommandJobs>

type Work = (cancelled: AbortSignal) => Promise<TaskResult>

export function createCommandJobs({
  database,
  gatewayNumber,
  clock,
}: {
  database: Database
  gatewayNumber: number
  clock: Clock
}) {
  const find = createCommandJobReader(database)
  /** The jobs that this gateway runs. */
  const underWay = new Map<string, AbortController>()

  async function follow(
    { sessionId, jobId }: { sessionId: string; jobId: string },
    work: Work,
  ): Promise<void> {
    const controller = new AbortController()
    underWay.set(jobId, controller)
    const over = new AbortController()
    const stop = () => controller.abort(cancellation())
    void untilCancelled({ database, clock }, jobId, over.signal).then(stop, () => {})
    try {
      const ended = await work(controller.signal).then(
        (result) => ({ result }),
        (thrown) => ({ failure: toCallError(thrown) }),
      )
      await untilWritten(clock, () => end(database, jobId, ended))
    } finally {
      over.abort()
      underWay.delete(jobId)
    }
    await forgetOldAnswers(database, sessionId)
  }

  /** Answers when the job is written down. */
  async function begin(
    { sessionId, key, task }: { sessionId: string; key: string | undefined; task: SessionTask },
    { work, log }: { work: Work; log: Log },
  ): Promise<BegunJob> {
    const { transfer, onOutput: _, ...command } = task
    const jobId = uuidv7(clock.now())
    const digest = digestRequest({ ...command, ...transfer?.order, job: true })
    const claimed = await database.query(
      `insert into session_command (session_id, key, digest, gateway_id, job_id) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning 1`,
      [sessionId, key ?? `job:${jobId}`, digest, gatewayNumber, jobId],
    )
    if (claimed.length === 0 && key !== undefined)
      return await earlier(database, { sessionId, key, digest })
    void follow({ sessionId, jobId }, work).catch((err) =>
      log.warn({ err, sessionId, jobId }, 'The result of a command was not kept.'),
    )
    return { jobId, isRepeated: false }
  }

  /** Ends the command of a job, at another gateway within a second or two. Undefined when there is no such job. */
  async function cancel(owner: Owner, jobId: string): Promise<'cancelled' | 'ended' | undefined> {
    const job = await find(owner, jobId)
    if (job === undefined) return undefined
    if (job.state !== 'running') return 'ended'
    const failure = cancellation()
    if (!(await end(database, jobId, { failure }))) return 'ended'
    underWay.get(jobId)?.abort(failure)
    return 'cancelled'
  }

  return { begin, cancel }
}

async function earlier(
  database: Database,
  { sessionId, key, digest }: { sessionId: string; key: string; digest: Buffer },
): Promise<BegunJob> {
  const [known] = await database.query<{ digest: Buffer; jobId: string | null }>(
    'select digest, job_id as "jobId" from session_command where session_id = $1 and key = $2',
    [sessionId, key],
  )
  // The first request failed meanwhile, so its key is free again.
  if (known === undefined) throw fail('idempotency_in_progress', { retryAfterSeconds: 1 })
  if (known.jobId === null || !known.digest.equals(digest)) throw fail('idempotency_key_reused')
  return { jobId: known.jobId, isRepeated: true }
}

/** False when it has ended already: the first end counts. */
async function end(
  database: Database,
  jobId: string,
  { result, failure }: { result?: TaskResult; failure?: CallError },
): Promise<boolean> {
  const ended = await database.query(
    `update session_command set has_ended = true, answer = $2, failure = $3
     where job_id = $1 and not has_ended returning 1`,
    [
      jobId,
      result === undefined ? null : JSON.stringify(shorten(result)),
      failure === undefined
        ? null
        : JSON.stringify({ code: failure.code, message: failure.message }),
    ],
  )
  return ended.length > 0
}

/**
 * A job that ends in the database before its command does was cancelled at another gateway. Rejects when `over` is
 * aborted.
 */
async function untilCancelled(
  { database, clock }: { database: Database; clock: Clock },
  jobId: string,
  over: AbortSignal,
): Promise<void> {
  do await clock.sleep(cancelPollMs, over)
  while (!(await hasEnded(database, jobId).catch(() => false)))
  over.throwIfAborted()
}

async function hasEnded(database: Database, jobId: string): Promise<boolean> {
  const ended = await database.query(
    'select 1 from session_command where job_id = $1 and has_ended',
    [jobId],
  )
  return ended.length > 0
}

/** A command has run, however much it wrote: what is too much of its output is left out. */
function shorten(result: TaskResult): TaskResult {
  const { stdout, stderr } = result
  if (Math.max(stdout.length, stderr.length) <= outputCharactersMax) return result
  const cut = (text: string) => text.slice(0, outputCharactersMax)
  return { ...result, stdout: cut(stdout), stderr: cut(stderr), truncated: true }
}
