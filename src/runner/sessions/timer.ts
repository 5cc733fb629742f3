import type { Clock, Log } from '#core/ports.ts'
import type { LiveSession } from './live-session.ts'
import { nextDeadlineMs } from './plan.ts'

const roundIntervalMs = 10_000

/** Looks at the sessions at regular times, and at the second at which the first of them must end. */
export function createTimer({
  clock,
  log,
  lives,
  keepUp,
}: {
  clock: Clock
  log: Log
  lives: ReadonlyMap<string, LiveSession>
  keepUp: () => Promise<void>
}) {
  const stopping = new AbortController()
  let waiting = new AbortController()

  async function pause() {
    const now = clock.now()
    const deadlines = await Promise.all(
      [...lives.values()].map(async (live) => nextDeadlineMs(await live.standing(), now)),
    )
    const untilMs = Math.min(now + roundIntervalMs, ...deadlines)
    const signal = AbortSignal.any([stopping.signal, waiting.signal])
    await clock.sleep(Math.max(0, untilMs - clock.now()), signal).catch(() => {})
    waiting = new AbortController()
  }

  async function loop() {
    while (!stopping.signal.aborted) {
      await keepUp().catch((error) =>
        log.warn({ err: error }, 'A round of sessions will be repeated.'),
      )
      await pause()
    }
  }
  void loop()
  return {
    wake: () => waiting.abort(),
    stop: () => stopping.abort(),
  }
}
