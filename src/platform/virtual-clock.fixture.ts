import type { Clock } from '#core/ports.ts'

/** A clock that stands still until `run` moves it from one sleeper to the next. */
export function createVirtualClock() {
  let nowMs = 1_000_000
  let sleepers: { at: number; resolve: () => void; reject: (reason: unknown) => void }[] = []
  const clock: Clock = {
    now: () => nowMs,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: nowMs + delayMs, resolve, reject }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          reject(signal.reason)
        })
      }),
  }
  async function run() {
    for (;;) {
      await new Promise(setImmediate)
      const next = sleepers.toSorted((one, other) => one.at - other.at)[0]
      if (next === undefined) return
      sleepers = sleepers.filter((sleeper) => sleeper !== next)
      nowMs = Math.max(nowMs, next.at)
      next.resolve()
    }
  }
  return {
    clock,
    run,
    set: (ms: number) => {
      nowMs = ms
    },
  }
}
