import type { Clock } from '#core/ports.ts'

/** A clock that runs as the system's does, and that the test can put forward. */
export function createSkippingClock(): Clock & { skip(ms: number): void } {
  let aheadMs = 0
  const sleepers = new Set<{ readonly at: number; wake(): void }>()
  const now = () => Date.now() + aheadMs
  return {
    now,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => () => {
          clearTimeout(timer)
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', abort)
          settle()
        }
        const wake = end(resolve)
        const abort = end(() => reject(signal?.reason))
        const sleeper = { at: now() + delayMs, wake }
        const timer = setTimeout(wake, delayMs)
        sleepers.add(sleeper)
        signal?.addEventListener('abort', abort, { once: true })
        if (signal?.aborted) abort()
      }),
    skip(ms) {
      aheadMs += ms
      for (const sleeper of [...sleepers]) if (sleeper.at <= now()) sleeper.wake()
    },
  }
}
