import type { Clock } from '#core/ports.ts'
import { systemClock } from '#platform/clock.ts'

const speed = 10

/**
 * The real clock until `hurry`, and ten times as fast from then on, so that tests need not wait as long as the gateway.
 */
export function createHurriedClock(): { clock: Clock; hurry(): void } {
  let hurriedAtMs: number | undefined
  return {
    clock: {
      now() {
        const nowMs = systemClock.now()
        return hurriedAtMs === undefined ? nowMs : hurriedAtMs + (nowMs - hurriedAtMs) * speed
      },
      sleep: (delayMs, signal) =>
        systemClock.sleep(hurriedAtMs === undefined ? delayMs : delayMs / speed, signal),
    },
    hurry() {
      hurriedAtMs ??= systemClock.now()
    },
  }
}
