// The queue of jobs, in the gateway's own database.
import type { ClientBase } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { createListen } from './listen.ts'

/** What the queue remembers of a job. */
export interface QueuedJob {
  readonly callId: string
  /** How many parts the job had saved when its tries were counted from zero. */
  readonly savedBefore: number
}

export interface JobCounts {
  /** Waits for a worker. */
  readonly ready: number
  /** Waits for its time. */
  readonly deferred: number
  readonly active: number
  /** Failed too often, and waits to be ended. */
  readonly exhausted: number
}

export interface JobQueue {
  /** Queues a job in the transaction of `client`. */
  send(callId: string, timeoutMs: number, client: ClientBase): Promise<void>
  /** Queues a job again, to be resumed after the delay. Its tries are counted from zero. */
  sendLater(job: QueuedJob, timeoutMs: number, delayMs: number): Promise<void>
  /** Ends the delay of a job that waits. Ignores one that is worked on, or has ended. */
  wake(callId: string): Promise<void>
  /** Ends the current tries of jobs of dead gateways, so that other gateways resume them at once. */
  failTries(callIds: readonly string[]): Promise<void>
  /** How many jobs are in each state, as the queue counted them some seconds ago. */
  counts(): Promise<JobCounts>
  /** Takes jobs. `work` is called again for a job whose try failed, and `giveUp` for one that failed too often. */
  start(handlers: {
    workersMax: number
    work: (callId: string, signal: AbortSignal) => Promise<void>
    giveUp: (job: QueuedJob, signal: AbortSignal) => Promise<void>
  }): Promise<void>
  stop(): Promise<void>
}

export const retriesMax = 3

const queue = 'calls'
/** The queue of jobs that failed too often. Its worker ends them, or queues those anew that have saved a part since. */
const exhaustedQueue = 'calls-exhausted'
const retryDelaySeconds = 1
const retryDelaySecondsMax = 30
/** A worker that sends no heartbeat for this long is taken for dead. */
const heartbeatSeconds = 10
const superviseIntervalSeconds = 5
/** New jobs are announced. Jobs that wait for another try are polled for. */
const pollingIntervalSeconds = 2
const stopTimeoutMs = 5_000
const expiryMarginMs = 60_000

const polling = { pollingIntervalSeconds, notifyPollingIntervalSeconds: pollingIntervalSeconds }
const newJob = (callId: string): QueuedJob => ({ callId, savedBefore: 0 })
const expiryOf = (timeoutMs: number) => Math.ceil((timeoutMs + expiryMarginMs) / 1_000)

export async function createJobQueue(dependencies: {
  database: Database
  clock: Clock
  log: Log
}): Promise<JobQueue> {
  const boss = await openBoss(dependencies)
  return {
    async send(callId, timeoutMs, client) {
      const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
      const expireInSeconds = expiryOf(timeoutMs)
      await boss.send(queue, newJob(callId), { id: callId, expireInSeconds, db })
    },
    async sendLater(job, timeoutMs, delayMs) {
      const startAfter = Math.ceil(delayMs / 1_000)
      await boss.send(queue, job, { startAfter, expireInSeconds: expiryOf(timeoutMs) })
    },
    async wake(callId) {
      await dependencies.database.query(
        `update queue.job set start_after = now()
         where name = $1 and state = 'created' and start_after > now() and data->>'callId' = $2`,
        [queue, callId],
      )
    },
    async counts() {
      const [row] = await dependencies.database.query<JobCounts>(
        `select coalesce(sum(ready_count) filter (where name = $1), 0)::integer as ready,
           coalesce(sum(deferred_count) filter (where name = $1), 0)::integer as deferred,
           coalesce(sum(active_count) filter (where name = $1), 0)::integer as active,
           coalesce(sum(ready_count) filter (where name = $2), 0)::integer as exhausted
         from queue.queue`,
        [queue, exhaustedQueue],
      )
      if (row === undefined) throw new Error('The queue has no counts.')
      return row
    },
    async failTries(callIds) {
      await boss.fail(queue, [...callIds], { message: 'Its gateway is gone.' })
    },
    async start({ workersMax, work, giveUp }) {
      const options = { ...polling, localConcurrency: workersMax }
      await boss.work<QueuedJob>(queue, options, async ([job]) => {
        if (job !== undefined) await work(job.data.callId, job.signal)
      })
      await boss.work<QueuedJob>(exhaustedQueue, polling, async ([job]) => {
        if (job !== undefined) await giveUp(job.data, job.signal)
      })
    },
    stop: () => boss.stop({ graceful: true, timeout: stopTimeoutMs }),
  }
}

async function openBoss(dependencies: Parameters<typeof createJobQueue>[0]): Promise<PgBoss> {
  const { database, log } = dependencies
  // On the gateway's own connections: a session costs the server more than most statements.
  const db = { executeSql: database.executeSql, listen: createListen(dependencies) }
  const boss = new PgBoss({
    db,
    schema: 'queue',
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
  })
  boss.on('error', (error) =>
    log.warn({ err: error }, 'The job queue reported an error and continues.'),
  )
  await boss.start()
  await boss.createQueue(exhaustedQueue, {
    retryLimit: retriesMax,
    retryBackoff: true,
    notify: true,
  })
  await boss.createQueue(queue, {
    retryLimit: retriesMax,
    retryDelay: retryDelaySeconds,
    retryDelayMax: retryDelaySecondsMax,
    retryBackoff: true,
    heartbeatSeconds,
    deadLetter: exhaustedQueue,
    notify: true,
  })
  return boss
}
