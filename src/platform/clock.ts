import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '#core/ports.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) => delay(delayMs, undefined, signal === undefined ? {} : { signal }),
}
