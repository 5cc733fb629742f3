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
  /** Wakes the next sleeper. False if there is none. */
  function step(): boolean {
    const next = sleepers.toSorted((one, other) => one.at - other.at)[0]
    if (next === undefined) return false
    sleepers = sleepers.filter((sleeper) => sleeper !== next)
    nowMs = Math.max(nowMs, next.at)
    next.resolve()
    return true
  }
  async function run() {
    do await new Promise(setImmediate)
    while (step())
  }
  return {
    clock,
    run,
    step,
    sleeping: () => sleepers.length,
    set: (ms: number) => {
      nowMs = ms
    },
  }
}
