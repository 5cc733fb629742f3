import type { Clock, Log } from '#core/ports.ts'
import type { OwnSessions } from './kinds.ts'
import { nextDeadlineMs } from './plan.ts'
import type { Rounds } from './rounds.ts'

const roundIntervalMs = 10_000
/** Between two rounds, also when a session that should have ended could not be ended. */
const pauseMsMin = 500

/** Runs one work after the other. */
function inLine() {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    isBusy: () => waiting > 0,
    async run(work: () => Promise<void>): Promise<void> {
      waiting += 1
      const result = last.then(work)
      last = result.catch(() => {})
      await result.finally(() => {
        waiting -= 1
      })
    },
  }
}

/**
 * Looks at the sessions at regular times, and at the second at which the first of them must end. Resources that are
 * slow to be adopted or removed do not keep the meters from their work.
 */
export function createTimer({
  clock,
  log,
  own: { lives },
  rounds,
}: {
  clock: Clock
  log: Log
  own: OwnSessions
  rounds: Rounds
}) {
  const stopping = new AbortController()
  let waiting = new AbortController()
  const [meters, clearing] = [inLine(), inLine()]
  const clear = () => clearing.run(rounds.clear)
  const meter = () => meters.run(rounds.meter)
  const warn = (error: unknown) => log.warn({ err: error }, 'A round of sessions will be repeated.')

  async function pause() {
    const now = clock.now()
    const deadlines = await Promise.all(
      [...lives.values()].map(async (live) => nextDeadlineMs(await live.standing(), now)),
    )
    const untilMs = Math.min(now + roundIntervalMs, ...deadlines)
    const signal = AbortSignal.any([stopping.signal, waiting.signal])
    await clock.sleep(Math.max(pauseMsMin, untilMs - clock.now()), signal).catch(() => {})
    waiting = new AbortController()
  }

  async function loop() {
    while (!stopping.signal.aborted) {
      if (!clearing.isBusy()) void clear().catch(warn)
      await meter().catch(warn)
      await pause().catch(warn)
    }
  }
  void loop()
  return {
    wake: () => waiting.abort(),
    clear,
    /** One whole round. */
    async keepUp(): Promise<void> {
      await meter()
      await clear()
    },
    /** Resolves when the round under way has ended. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all([meters.run(async () => {}), clearing.run(async () => {})])
    },
  }
}
