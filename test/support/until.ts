import { setTimeout as delay } from 'node:timers/promises'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How long a test waits for an event: on a busy machine, long. */
    patienceMs: number
  }
}

const pollIntervalMs = 50

/**
 * Resolves when the condition holds, which is checked every `everyMs`. Fails after the patience of the test's project.
 */
export async function until(
  condition: () => Promise<boolean>,
  { everyMs = pollIntervalMs }: { readonly everyMs?: number } = {},
): Promise<void> {
  const deadline = Date.now() + inject('patienceMs')
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The expected condition did not occur in time.')
    await delay(everyMs)
  }
}
