// How a gateway process ends: on a signal once its running calls have ended, or after a start that failed.
import type { Log } from '#core/ports.ts'
import type { App } from '../app.ts'

const closeTimeoutMs = 20_000

/** Ends the process on SIGINT or SIGTERM. A second signal ends it without waiting. */
export function stopOnSignals(app: Pick<App, 'close'>, log: Log): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      log.info({ signal }, 'Stopping once the running calls have ended.')
      app.close().then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'The gateway did not stop cleanly.')
          process.exit(1)
        },
      )
    })
  }
}

/** For a failure after which the gateway cannot go on. */
export const endAtOnce = (log: Log) => (error: Error) => {
  log.error({ err: error }, 'The gateway cannot continue.')
  process.exit(1)
}

/** Says why a start failed, closes what it had opened, and ends the process. */
export async function endFailedStart(
  sentences: readonly string[],
  closers: (() => Promise<unknown>)[],
): Promise<never> {
  process.stderr.write(`${sentences.join('\n')}\n`)
  setTimeout(() => process.exit(1), closeTimeoutMs).unref()
  for (const close of closers.splice(0)) await close().catch(() => {})
  process.exit(1)
}
