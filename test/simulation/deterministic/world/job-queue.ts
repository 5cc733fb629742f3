// The queue of jobs in the place of pg-boss: at least once, with tries, heartbeats and a queue of exhausted jobs.
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { JobQueue } from '../../../../src/runner/jobs/queue.ts'
import type { QueuedTry } from '../database/tables.ts'

const pollingIntervalMs = 1_000
const heartbeatIntervalMs = 3_000

export function createSimulatedQueue({
  database,
  clock,
  nextNumber,
}: {
  readonly database: Database
  readonly clock: Clock
  readonly nextNumber: () => number
}): JobQueue {
  const stopping = new AbortController()

  async function poll(
    isExhausted: boolean,
    work: (queued: QueuedTry, signal: AbortSignal) => Promise<void>,
  ) {
    while (!stopping.signal.aborted) {
      const [queued] = await database.query<QueuedTry>('queue: take', [isExhausted]).catch(() => [])
      if (queued !== undefined) await attempt(queued, work)
      else await clock.sleep(pollingIntervalMs)
    }
  }

  async function attempt(
    queued: QueuedTry,
    work: (queued: QueuedTry, signal: AbortSignal) => Promise<void>,
  ) {
    const { id, tries } = queued
    const taken = new AbortController()
    const beat = setInterval(() => {
      database.query('queue: heartbeat', [id, tries]).then(
        (rows) => rows.length === 0 && taken.abort(new Error('Another worker has the job.')),
        () => {},
      )
    }, heartbeatIntervalMs)
    const end = await work(queued, taken.signal).then(
      () => 'queue: finish',
      () => 'queue: fail try',
    )
    clearInterval(beat)
    await database.query(end, [id, tries]).catch(() => {})
  }

  return {
    async send(callId, _timeoutMs, client) {
      await client.query('queue: send', [callId, callId, 0, 0])
    },
    async sendLater({ callId, savedBefore }, _timeoutMs, delayMs) {
      await database.query('queue: send', [
        `${callId} ${nextNumber()}`,
        callId,
        savedBefore,
        delayMs,
      ])
    },
    wake: async () => {},
    counts: async () => ({ ready: 0, deferred: 0, active: 0, exhausted: 0 }),
    async failTries(callIds) {
      await database.query('queue: fail tries', [callIds])
    },
    async start({ workersMax, work, giveUp }) {
      for (let worker = 0; worker < workersMax; worker += 1)
        void poll(false, ({ callId }, signal) => work(callId, signal))
      void poll(true, ({ callId, savedBefore }, signal) => giveUp({ callId, savedBefore }, signal))
    },
    async stop() {
      stopping.abort()
    },
  }
}
