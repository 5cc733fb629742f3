// Jobs that go on after their call was answered, until they are done, their time is up or the gateway stops.
import type { Log } from '#core/ports.ts'
import type { ReadContext } from './page.ts'

export interface BackgroundJobs {
  /** True once `close` was called. A job then leaves its state alone, so that another gateway can take it over. */
  readonly stopping: boolean
  /** Starts the work with a signal of its own. A failure is logged with the id. */
  start(id: string, caller: ReadContext, work: (context: ReadContext) => Promise<void>): void
  /** Aborts the jobs and waits for them. */
  close(): Promise<void>
}

export function createBackgroundJobs(options: {
  /** The name of the jobs in the log, as in `A crawl`. */
  readonly subject: string
  readonly timeoutMs: number
  readonly log: Log
}): BackgroundJobs {
  const { subject, timeoutMs, log } = options
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    get stopping() {
      return stop.signal.aborted
    },
    start(id, { caller, call, available }, work) {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)])
      const done = work({ signal, caller, call, available, record: () => {} })
        .catch((error) =>
          log.warn({ err: error, id }, `${subject} stopped; it will be taken up again.`),
        )
        .finally(() => running.delete(done))
      running.add(done)
    },
    async close() {
      stop.abort(new Error('The gateway is stopping.'))
      await Promise.all(running)
    },
  }
}
