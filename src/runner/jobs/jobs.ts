// Calls that outlive their request. A job is queued in the transaction that holds its price, worked on at least once by
// whichever gateway is free, and charged exactly once, since the ledger ends a call only once.
import type { ClientBase } from 'pg'
import { PgBoss } from 'pg-boss'
import { type CatalogEntry, defaultTimeoutMs, splitId } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import type { Clock, Log } from '#core/ports.ts'
import { settlePrice } from '#core/price.ts'
import type { Hold, HoldOutcome } from '#money/ledger/group-commit.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { Database } from '#platform/database/database.ts'
import {
  type Executor,
  openTrail,
  PostponedError,
  type Trail,
  timelineOf,
} from '../execute/execute.ts'
import { createListen } from './listen.ts'
import { createOpenJobs, type OpenJob } from './open-jobs.ts'

export interface Jobs {
  /** Holds the price and queues the job, both or neither. */
  submit(entry: CatalogEntry, hold: Hold, input: unknown): Promise<HoldOutcome>
  /** Queues, in the transaction of `client`, a job whose price is held already. A call that is no open job is left alone. */
  enqueue(entry: CatalogEntry, callId: string, client: ClientBase): Promise<void>
  /** Stops taking jobs. Those under way are left to be taken up again, here or elsewhere. */
  close(): Promise<void>
}

const queue = 'calls'
/** Where a job goes that has failed too often, so that its hold is given back. */
const exhaustedQueue = 'calls-exhausted'
const retriesMax = 3
const retryDelaySeconds = 1
const retryDelaySecondsMax = 30
/** A worker that is not heard of for so long is taken for dead. */
const heartbeatSeconds = 10
const superviseIntervalSeconds = 5
/** New jobs announce themselves; those that wait for another try are looked for this often. */
const pollingIntervalSeconds = 2
const marginMs = 60_000
const connectionsMax = 4
const stopTimeoutMs = 5_000
const recoveryIntervalMs = 5_000
const jobsAtOnceMaxDefault = 10
const databaseAwayDelayMs = 5_000

const expiryOf = (timeoutMs: number) => Math.ceil((timeoutMs + marginMs) / 1_000)

/** The longest that a job may take with all its tries; its hold is voided after that. */
export function jobLifetimeMs({ action }: CatalogEntry): number {
  return ((action.timeoutMs ?? defaultTimeoutMs) + marginMs) * (retriesMax + 1)
}

/** Jobs of this action that one account may have open. */
export function jobsAtOnceMax({ action }: CatalogEntry): number {
  return action.jobsAtOnceMax ?? jobsAtOnceMaxDefault
}

export async function createJobs(room: {
  database: Database
  connectionString: string
  executor: Executor
  ledger: Ledger
  clock: Clock
  log: Log
  /** Jobs that this gateway works on at once. */
  workersMax: number
}): Promise<Jobs> {
  const { database, executor, ledger, log } = room
  const openJobs = createOpenJobs(database, ledger.gatewayNumber)
  const stopping = new AbortController()
  const boss = new PgBoss({
    connectionString: room.connectionString,
    application_name: 'tollway-jobs',
    max: connectionsMax,
    schema: 'queue',
    schedule: false,
    useListenNotify: true,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
  })
  Object.assign(boss.getDb(), { listen: createListen(room) })
  boss.on('error', (error) => log.warn({ err: error }, 'The job queue had a problem; it goes on.'))

  const polling = { pollingIntervalSeconds, notifyPollingIntervalSeconds: pollingIntervalSeconds }
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
  await boss.work<{ callId: string }>(
    queue,
    { ...polling, localConcurrency: room.workersMax },
    async ([job]) => {
      if (job !== undefined) await workOn(job.data.callId, job.signal)
    },
  )
  await boss.work<{ callId: string }>(exhaustedQueue, polling, async ([job]) => {
    if (job !== undefined) await giveUp(job.data.callId)
  })
  await recover()
  const timer = setInterval(() => {
    recover().catch((error) => log.warn({ err: error }, 'Recovery of jobs will be tried again.'))
  }, recoveryIntervalMs).unref()

  /** Jobs of gateways that are gone are queued again at once, not only when their heartbeat is missed. */
  async function recover() {
    const abandoned = await openJobs.abandoned()
    if (abandoned.length > 0) await boss.fail(queue, abandoned, { message: 'Its gateway is gone.' })
  }

  async function workOn(callId: string, signal: AbortSignal) {
    const job = await openJobs.take(callId)
    // It ended, and only the queue had not heard of it.
    if (job === undefined) return
    const trail = openTrail(job.caller, undefined, job.held)
    try {
      const entry = executor.resolve(...splitId(job.action))
      const { data, output } = await executor.execute(entry, job.input, trail, {
        signal: AbortSignal.any([signal, stopping.signal]),
        job: {
          checkpoints: await openJobs.checkpoints(callId),
          save: (name, value) => openJobs.save(callId, name, value),
          report: (progress) => openJobs.report(callId, progress),
          jobId: callId,
        },
      })
      const quote = { kind: 'cap', micros: job.held } as const
      const charged = settlePrice(entry.action.price, quote, job.input, data)
      await end(job, { state: 'settled', charged, output }, trail)
    } catch (thrown) {
      if (thrown instanceof PostponedError) return await takeUpLater(job, thrown.delayMs)
      if (isDatabaseAway(thrown)) return await takeUpLater(job, databaseAwayDelayMs)
      if (!isFinal(thrown)) throw thrown
      const { code, message, data } = thrown
      const output = data === undefined ? undefined : JSON.stringify(data)
      await end(job, { state: 'voided', charged: 0, error: code, message, output }, trail)
    }
  }

  /** Should the gateway die between the two, the job is queued twice: its checkpoints and the ledger bear that. */
  async function takeUpLater({ callId, action: id }: OpenJob, delayMs: number) {
    const { timeoutMs = defaultTimeoutMs } = executor.resolve(...splitId(id)).action
    await boss.send(
      queue,
      { callId },
      { startAfter: Math.ceil(delayMs / 1_000), expireInSeconds: expiryOf(timeoutMs) },
    )
  }

  /** No fault of the job, and none of its tries: it is put off until the database takes it, or until its hold ends. */
  function isDatabaseAway(thrown: unknown): boolean {
    if (stopping.signal.aborted || !(thrown instanceof CallError)) return false
    return thrown.code === 'unavailable' || thrown.code === 'payment_pending'
  }

  /** An expected failure ends the job. A gateway that stops is no fault of the job. */
  function isFinal(thrown: unknown): thrown is CallError {
    if (stopping.signal.aborted) return false
    if (thrown instanceof CallError) return true
    log.error({ err: thrown }, 'A job failed; it will be tried again.')
    return false
  }

  async function giveUp(callId: string) {
    const job = await openJobs.take(callId)
    if (job === undefined) return
    const { code, message } = fail('upstream_error', {
      message: 'The job failed too often. Nothing was charged; submit it again.',
    })
    await end(job, { state: 'voided', charged: 0, error: code, message }, openTrail(job.caller))
  }

  function end(
    { callId, caller }: OpenJob,
    ending: Omit<Parameters<Ledger['settle']>[0], 'callId' | 'accountId' | 'timeline' | 'cost'>,
    trail: Trail,
  ) {
    const timeline = timelineOf(trail)
    return ledger.settle({
      callId,
      accountId: caller.accountId,
      cost: trail.cost,
      ...ending,
      timeline,
    })
  }

  async function enqueue({ action }: CatalogEntry, callId: string, client: ClientBase) {
    const expireInSeconds = expiryOf(action.timeoutMs ?? defaultTimeoutMs)
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
    await boss.send(queue, { callId }, { id: callId, expireInSeconds, db })
  }

  return {
    submit: (entry, hold, input) =>
      ledger.holdJob(
        { ...hold, lifetimeMs: jobLifetimeMs(entry) },
        {
          input: JSON.stringify(input),
          atOnceMax: jobsAtOnceMax(entry),
          enqueue: (client) => enqueue(entry, hold.callId, client),
        },
      ),
    async enqueue(entry, callId, client) {
      const { rows } = await client.query(
        `select 1 from call where id = $1 and state = 'held' and job`,
        [callId],
      )
      if (rows.length > 0) await enqueue(entry, callId, client)
    },
    async close() {
      clearInterval(timer)
      stopping.abort(new Error('The gateway is stopping.'))
      await boss.stop({ graceful: true, timeout: stopTimeoutMs })
    },
  }
}
