import { setTimeout as delay } from 'node:timers/promises'

const timeoutMs = 30_000
const pollIntervalMs = 50

/** Resolves when the condition holds, which is checked every `everyMs`. Fails after `forMs`. */
export async function until(
  condition: () => Promise<boolean>,
  forMs = timeoutMs,
  everyMs = pollIntervalMs,
): Promise<void> {
  const deadline = Date.now() + forMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The expected condition did not occur in time.')
    await delay(everyMs)
  }
}
