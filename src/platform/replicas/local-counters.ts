// Counts in windows of time, in the memory of this process.
import type { Clock } from '#core/ports.ts'
import type { CountedWindow, SharedCounters, WindowCount } from '#core/replicas/shared-state.ts'

/** Windows that are kept before those that are over are looked for and dropped. */
const windowsMany = 10_000

interface Window {
  readonly id: string
  readonly endsAtMs: number
  used: number
}

export interface LocalCounters extends SharedCounters {
  /** The current window of this name. */
  find(name: string): CountedWindow | undefined
  /** Goes on from the window that all gateways share. */
  adopt(name: string, window: CountedWindow): void
}

export function createLocalCounters({ clock }: { clock: Pick<Clock, 'now'> }): LocalCounters {
  const windows = new Map<string, Window>()
  let sweepAt = windowsMany
  let made = 0

  function current(name: string): Window | undefined {
    const window = windows.get(name)
    return window !== undefined && clock.now() < window.endsAtMs ? window : undefined
  }

  function keep(name: string, window: Window) {
    windows.set(name, window)
    if (windows.size < sweepAt) return
    const now = clock.now()
    for (const [each, { endsAtMs }] of windows) if (now >= endsAtMs) windows.delete(each)
    sweepAt = Math.max(windowsMany, 2 * windows.size)
  }

  const show = ({ id, used, endsAtMs }: Window): CountedWindow => ({
    id,
    used,
    leftMs: endsAtMs - clock.now(),
  })

  function begin({ windowMs }: WindowCount): Window {
    made += 1
    return { id: `own ${made}`, endsAtMs: clock.now() + windowMs, used: 0 }
  }

  return {
    find(name) {
      const window = current(name)
      return window && show(window)
    },
    adopt(name, { id, used, leftMs }) {
      keep(name, { id, used, endsAtMs: clock.now() + leftMs })
    },
    async take(counts) {
      const found = counts.map((count) => current(count.name) ?? begin(count))
      const isBeyond = ({ points, most }: WindowCount, place: number) =>
        (found[place]?.used ?? 0) + points > most
      const first = counts.findIndex(isBeyond)
      const blocked = counts.some((count, place) => !count.evenBeyond && isBeyond(count, place))
      if (!blocked)
        for (const [place, { name, points }] of counts.entries()) {
          const window = found[place]
          if (window === undefined) continue
          window.used += points
          keep(name, window)
        }
      return { refusedBy: first === -1 ? undefined : first, windows: found.map(show) }
    },
    async adjust(name, points, windowId) {
      const window = current(name)
      if (window === undefined || (windowId !== undefined && window.id !== windowId)) return
      window.used = Math.max(0, window.used + points)
    },
  }
}
