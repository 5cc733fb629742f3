// Keeps a provider's own rules of how often it may be asked, so that it never has to turn us away.
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { CourtesyWindow } from '#core/provider.ts'

export interface Pacer {
  /** Resolves when the next request may leave, first come first served. Throws `rate_limited` when that is too far off. */
  turn(signal?: AbortSignal): Promise<void>
}

/** One limiter for all services that share a credential, since vendors count by credential. */
export type Pacers = (credential: string, windows: readonly CourtesyWindow[]) => Pacer

export function createPacers({ clock }: { clock: Clock }): Pacers {
  const limiters = new Map<string, Pacer>()
  return (credential, windows) => {
    const limiter = limiters.get(credential) ?? createPacer({ windows, clock })
    limiters.set(credential, limiter)
    return limiter
  }
}

/** Takes turns by the windows of all hosts together, then by those of the host that is asked. */
export function createHostPacers(
  windows: readonly CourtesyWindow[],
  create: (windows: readonly CourtesyWindow[], host: string | undefined) => Pacer,
): (host: string | undefined) => Pacer {
  const hosts = new Set(windows.map(({ host }) => host))
  const limiters = new Map(
    [...hosts].map((host) => [
      host,
      create(
        windows.filter((window) => window.host === host),
        host,
      ),
    ]),
  )
  return (host) => ({
    async turn(signal) {
      await limiters.get(undefined)?.turn(signal)
      if (host !== undefined) await limiters.get(host)?.turn(signal)
    },
  })
}

/** Requests of one provider that may wait at once. */
const queueMaxDefault = 200
/** The longest that a request waits for its turn; whoever would wait longer is told when to come back instead. */
const waitMsMaxDefault = 10_000

export function createPacer(options: {
  windows: readonly CourtesyWindow[]
  clock: Clock
  queueMax?: number
  waitMsMax?: number
}): Pacer {
  const { windows, clock } = options
  const { queueMax = queueMaxDefault, waitMsMax = waitMsMaxDefault } = options
  const rememberedMax = Math.max(0, ...windows.map(({ requests }) => requests))
  /** The times of the last turns given, also of those that are still ahead: a turn is reserved when it is asked for. */
  let turns: number[] = []
  let waiting = 0

  function nextTurn(nowMs: number): number {
    const latest = turns.at(-1) ?? nowMs
    // No turn is given further ahead: the clock was set back, and would hold everyone until it has caught up.
    if (latest > nowMs + waitMsMax) turns = []
    return windows.reduce(
      (at, { requests, windowMs }) => Math.max(at, (turns.at(-requests) ?? -Infinity) + windowMs),
      Math.max(nowMs, turns.at(-1) ?? nowMs),
    )
  }

  async function turn(signal?: AbortSignal): Promise<void> {
    if (windows.length === 0) return
    const nowMs = clock.now()
    const at = nextTurn(nowMs)
    if (at - nowMs > waitMsMax || (at > nowMs && waiting >= queueMax)) {
      throw fail('rate_limited', {
        message:
          'This gateway is at the provider’s request limit. Wait as long as Retry-After says.',
        retryAfterSeconds: Math.max(1, Math.ceil((at - nowMs) / 1_000)),
      })
    }
    turns.push(at)
    waiting += 1
    // Those who wait may still give their turns back, and what was before them counts then.
    const keptMax = rememberedMax + waiting
    if (turns.length > 2 * keptMax) turns = turns.slice(-keptMax)
    try {
      // Timers may fire a little early; the provider counts by the clock, unless that was set back meanwhile.
      for (let left = at - nowMs; left > 0 && left <= waitMsMax; left = at - clock.now())
        await clock.sleep(left, signal)
    } catch (thrown) {
      const place = turns.lastIndexOf(at)
      if (place !== -1) turns.splice(place, 1)
      throw thrown
    } finally {
      waiting -= 1
    }
  }

  return { turn }
}
