// Keeps to a provider's own limits on the rate of requests, so that the provider never has to refuse one.
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { PacingWindow } from '#core/provider.ts'

export interface Pacer {
  /**
   * Resolves when the next request may leave, first come first served. Throws `rate_limited` if the wait is too long.
   */
  turn(signal?: AbortSignal): Promise<void>
}

/** One pacer for all services that share a credential, because vendors count requests by credential. */
export type Pacers = (credential: string, windows: readonly PacingWindow[]) => Pacer

export function createPacers({ clock }: { clock: Clock }): Pacers {
  const pacers = new Map<string, Pacer>()
  return (credential, windows) => {
    const pacer = pacers.get(credential) ?? createPacer({ windows, clock })
    pacers.set(credential, pacer)
    return pacer
  }
}

/** Paces by the windows of all hosts together, then by those of the host of the request. */
export function createHostPacers(
  windows: readonly PacingWindow[],
  create: (windows: readonly PacingWindow[], host: string | undefined) => Pacer,
): (host: string | undefined) => Pacer {
  const hosts = new Set(windows.map(({ host }) => host))
  const pacers = new Map(
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
      await pacers.get(undefined)?.turn(signal)
      if (host !== undefined) await pacers.get(host)?.turn(signal)
    },
  })
}

/** Requests to one provider that may wait at once. */
const queueMaxDefault = 200
/** The longest wait for a turn. Requests that would wait longer are refused with a time to retry. */
const waitMsMaxDefault = 10_000

export function createPacer(dependencies: {
  windows: readonly PacingWindow[]
  clock: Clock
  queueMax?: number
  waitMsMax?: number
}): Pacer {
  const { windows, clock } = dependencies
  const { queueMax = queueMaxDefault, waitMsMax = waitMsMaxDefault } = dependencies
  const rememberedMax = Math.max(0, ...windows.map(({ requests }) => requests))
  /** Times of the last turns, including turns in the future: a turn is reserved when it is requested. */
  let turns: number[] = []
  let waiting = 0

  function nextTurn(nowMs: number): number {
    const latest = turns.at(-1) ?? nowMs
    // Only a clock that was set back can show a turn this far ahead. Keeping it would delay all requests until then.
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
          'This gateway has reached the provider’s request limit. Wait for the time in Retry-After.',
        retryAfterSeconds: Math.max(1, Math.ceil((at - nowMs) / 1_000)),
      })
    }
    turns.push(at)
    waiting += 1
    // A waiting request may give its turn back; then the turns before it count again.
    const keptMax = rememberedMax + waiting
    if (turns.length > 2 * keptMax) turns = turns.slice(-keptMax)
    try {
      // Timers may fire early, and the provider counts by the clock. A clock that was set back ends the wait.
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
