// Calls that outlive their request. A job is queued in the transaction that holds its price. Any free gateway works on
// it, one try at a time, until it has ended. It is charged exactly once, since the ledger ends a call only once.
import type { ClientBase } from 'pg'
import { type CatalogEntry, defaultTimeoutMs } from '#core/catalog.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Hold, HoldOutcome } from '#money/ledger/operations.ts'
import type { Database } from '#platform/database/database.ts'
import type { Executor } from '../execute/execute.ts'
import { createOpenJobs } from './open-jobs.ts'
import { createJobQueue, type JobQueue, retriesMax } from './queue.ts'
import { createJobWork } from './work.ts'

export interface Jobs {
  /** Holds the price and queues the job, both or neither. */
  submit(entry: CatalogEntry, hold: Hold, input: unknown): Promise<HoldOutcome>
  /**
   * Queues, in the transaction of `client`, a job whose price is held already. Ignores a call that is not an open job.
   */
  enqueue(entry: CatalogEntry, callId: string, client: ClientBase): Promise<void>
  readonly counts: JobQueue['counts']
  /** Takes a job that waits up at once. Ignores any other. */
  wake(callId: string): Promise<void>
  /** Stops taking jobs. Jobs under way are resumed later, here or elsewhere. */
  close(): Promise<void>
}

const marginMs = 60_000
const recoveryIntervalMs = 5_000
const jobsAtOnceMaxDefault = 10

const timeoutOf = ({ action }: CatalogEntry) => action.timeoutMs ?? defaultTimeoutMs

/** The longest that a job may take with all its tries. Its hold is voided after that. */
export function jobLifetimeMs(entry: CatalogEntry): number {
  return (timeoutOf(entry) + marginMs) * (retriesMax + 1)
}

/** How many jobs of this action one account may have open. */
export function jobsAtOnceMax({ action }: CatalogEntry): number {
  return action.jobsAtOnceMax ?? jobsAtOnceMaxDefault
}

export async function createJobs(dependencies: {
  database: Database
  executor: Executor
  ledger: Ledger
  clock: Clock
  log: Log
  /** How many jobs this gateway works on at once. */
  workersMax: number
  refreshOffers: () => Promise<void>
  /** See JobContext. */
  wakeUrlOf: (callId: string) => string | undefined
  /** Default: the queue in the gateway's own database. */
  openQueue?: typeof createJobQueue
}): Promise<Jobs> {
  const { database, ledger, log, workersMax, openQueue = createJobQueue } = dependencies
  const openJobs = createOpenJobs(database, ledger.gatewayNumber)
  const stopping = new AbortController()
  const queue = await openQueue(dependencies)
  const working = { ...dependencies, openJobs, queue, stopping: stopping.signal }
  await queue.start({ workersMax, ...createJobWork(working) })
  await recover()
  const timer = setInterval(() => {
    recover().catch((error) => log.warn({ err: error }, 'Recovery of jobs will be retried.'))
  }, recoveryIntervalMs).unref()

  /** Queues the jobs of dead gateways at once, before their heartbeat is missed. */
  async function recover() {
    const abandoned = await openJobs.abandoned()
    if (abandoned.length > 0) await queue.failTries(abandoned)
    await openJobs.leaveForgotten()
  }

  return {
    submit: (entry, hold, input) =>
      ledger.holdJob(
        { ...hold, lifetimeMs: jobLifetimeMs(entry) },
        {
          input: JSON.stringify(input),
          atOnceMax: jobsAtOnceMax(entry),
          enqueue: (client) => queue.send(hold.callId, timeoutOf(entry), client),
        },
      ),
    async enqueue(entry, callId, client) {
      const { rows } = await client.query(
        `select 1 from call where id = $1 and state = 'held' and job`,
        [callId],
      )
      if (rows.length > 0) await queue.send(callId, timeoutOf(entry), client)
    },
    counts: queue.counts,
    wake: queue.wake,
    async close() {
      clearInterval(timer)
      stopping.abort(new Error('The gateway is stopping.'))
      await queue.stop()
    },
  }
}
