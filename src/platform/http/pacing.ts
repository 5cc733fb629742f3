// Keeps to a provider's own limits on the rate of requests, so that the provider never has to refuse one.
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'
import type { PacingWindow } from '#core/provider.ts'
import type { SharedState, SharedTurns } from '#core/replicas/shared-state.ts'

export interface Pacer {
  /**
   * Resolves when the next request may leave, first come first served. Throws `rate_limited` if the wait is too long.
   */
  turn(signal?: AbortSignal): Promise<void>
}

/** One pacer for all services that share a credential, because vendors count requests by credential. */
export type Pacers = (credential: string, windows: readonly PacingWindow[]) => Pacer

/** What the gateways of a database know together of their requests to vendors. */
export type SharedPacing = Pick<SharedState, 'turns'>

export function createPacers({ clock, turns }: { clock: Clock } & SharedPacing): Pacers {
  const pacers = new Map<string, Pacer>()
  return (credential, windows) => {
    const shared = turns && { turns, name: credential }
    const pacer = pacers.get(credential) ?? createPacer({ windows, clock, shared })
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
  /** Gives the turns of all gateways under this name. */
  shared?: { readonly turns: SharedTurns; readonly name: string } | undefined
  queueMax?: number
  waitMsMax?: number
}): Pacer {
  const { windows, clock, shared } = dependencies
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

  function drop(at: number) {
    const place = turns.lastIndexOf(at)
    if (place !== -1) turns.splice(place, 1)
  }

  /** Gives the turn at `ownAt` also at the other gateways, which may make it later. */
  async function share(ownAt: number): Promise<{ at: number; giveBack?: () => Promise<void> }> {
    const reserved = await shared?.turns.reserve({
      name: shared.name,
      windows,
      waitMsMax,
      queueMax,
    })
    if (reserved === undefined) return { at: ownAt }
    if ('refusedForMs' in reserved) throw tooLong(reserved.refusedForMs)
    const { waitMs, giveBack } = reserved
    const at = Math.max(ownAt, clock.now() + waitMs)
    if (at > ownAt) {
      drop(ownAt)
      turns.splice(turns.findLastIndex((turn) => turn <= at) + 1, 0, at)
    }
    return { at, giveBack }
  }

  async function turn(signal?: AbortSignal): Promise<void> {
    if (windows.length === 0) return
    const nowMs = clock.now()
    const ownAt = nextTurn(nowMs)
    if (ownAt - nowMs > waitMsMax || (ownAt > nowMs && waiting >= queueMax))
      throw tooLong(ownAt - nowMs)
    turns.push(ownAt)
    waiting += 1
    // A waiting request may give its turn back; then the turns before it count again.
    const keptMax = rememberedMax + waiting
    if (turns.length > 2 * keptMax) turns = turns.slice(-keptMax)
    let taken: Awaited<ReturnType<typeof share>> = { at: ownAt }
    try {
      if (shared !== undefined) taken = await share(ownAt)
      const { at } = taken
      // Timers may fire early, and the provider counts by the clock. A clock that was set back ends the wait.
      for (let left = at - clock.now(); left > 0 && left <= waitMsMax; left = at - clock.now())
        await clock.sleep(left, signal)
    } catch (thrown) {
      drop(taken.at)
      await taken.giveBack?.()
      throw thrown
    } finally {
      waiting -= 1
    }
  }

  return { turn }
}

const tooLong = (waitMs: number) =>
  fail('rate_limited', {
    message:
      'This gateway has reached the provider’s request limit. Wait for the time in Retry-After.',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  })
