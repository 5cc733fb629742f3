import type { RunContext } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import type { ProviderHttp } from '#core/ports.ts'

/** The polling interval of the vendor's own clients. */
const pollIntervalMs = 2_000
/**
 * A job is abandoned after this many failed polls in a row. It was paid for at its start, so one failure is not enough.
 */
const pollFailuresMax = 3

const running = new Set(['scraping', 'processing', 'pending'])

export const isRunning = ({ status }: { status?: unknown }) => running.has(String(status))

/** The vendor's answer to an accepted job. */
export async function launchJob(http: ProviderHttp, path: string, body: unknown) {
  const job = await http.post(path, body)
  if (typeof job?.id !== 'string') throw fail('upstream_error')
  return job
}

/** The ended job at `path`, or its state at `untilMs`. */
export async function awaitJob(
  { http, clock, signal }: Pick<RunContext<unknown>, 'http' | 'clock' | 'signal'>,
  path: string,
  untilMs: number,
) {
  for (let failures = 0; ; ) {
    const job = await http.get(path).catch((thrown) => {
      failures += 1
      if (failures >= pollFailuresMax || clock.now() >= untilMs) throw thrown
    })
    if (job !== undefined) {
      failures = 0
      if (!isRunning(job) || clock.now() + pollIntervalMs > untilMs) return job
    }
    await clock.sleep(pollIntervalMs, signal)
  }
}
