// Jobs that continue after their call was answered, until they are done, their time is up or the gateway stops. What
// they have done so far is stored, so that any gateway can continue a job whose gateway is gone.
import { fail } from '#core/errors.ts'
import { isUuid } from '#core/id.ts'
import type { Log } from '#core/ports.ts'
import type { ReadContext } from './page.ts'

export interface BackgroundJobs<Stored> {
  /** True once `close` was called. A job then leaves its state alone, so that another gateway can take it over. */
  readonly stopping: boolean
  /** Starts a stored job with a signal of its own. A failure is logged with the id. */
  start(id: string, caller: ReadContext): void
  /** The job as far as it is, taken over when no gateway works on it. Throws `not_found`. */
  find(id: string, caller: ReadContext): Promise<Stored>
  /** Aborts the jobs and waits for them. */
  close(): Promise<void>
}

export function createBackgroundJobs<Stored>(dependencies: {
  /** What a job is called, with its article. */
  readonly subject: readonly ['A' | 'An', string]
  readonly timeoutMs: number
  readonly store: {
    find(id: string): Promise<Stored | undefined>
    /** True when no gateway has worked on the job for a while. */
    takeOver(id: string): Promise<boolean>
  }
  /** Continues a job from what is stored. */
  readonly resume: (id: string, context: ReadContext) => Promise<void>
  readonly log: Log
}): BackgroundJobs<Stored> {
  const { subject, timeoutMs, store, resume, log } = dependencies
  const stop = new AbortController()
  const running = new Set<Promise<void>>()

  function start(id: string, { caller, call, available }: ReadContext) {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)])
    const done = resume(id, { signal, caller, call, available, record: () => {}, spend: () => {} })
      .catch((error) =>
        log.warn({ err: error, id }, `${subject.join(' ')} stopped; it will be taken up again.`),
      )
      .finally(() => running.delete(done))
    running.add(done)
  }

  return {
    get stopping() {
      return stop.signal.aborted
    },
    start,
    async find(id, caller) {
      if (isUuid(id) && (await store.takeOver(id))) start(id, caller)
      const job = isUuid(id) ? await store.find(id) : undefined
      if (job !== undefined) return job
      throw fail('not_found', {
        message: `This ${subject[1]} was forgotten. Nothing was charged.`,
      })
    },
    async close() {
      stop.abort(new Error('The gateway is stopping.'))
      await Promise.all(running)
    },
  }
}
