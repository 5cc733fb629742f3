// Boxes that came back when their session no longer waited for them. A session that does not know of its box does not
// pay for it, so the box is left again unless the next attempt claims it.
import type { Clock, Log } from '#core/ports.ts'

const unclaimedMs = 60_000

export function createUnclaimedBoxes({
  leave,
  log,
}: {
  /** Saves the home of the session, and closes its box. */
  readonly leave: (sessionId: string) => Promise<void>
  readonly log: Log
}) {
  const unclaimed = new Map<string, AbortController>()
  const leaving = new Map<string, Promise<void>>()

  function begin(sessionId: string) {
    const left = leave(sessionId)
      .catch((err) => log.warn({ err, sessionId }, 'A box was not left.'))
      .finally(() => leaving.delete(sessionId))
    leaving.set(sessionId, left)
  }

  return {
    watch(sessionId: string, clock: Clock): void {
      const claimed = new AbortController()
      unclaimed.set(sessionId, claimed)
      clock.sleep(unclaimedMs, claimed.signal).then(
        () => begin(sessionId),
        () => {},
      )
    },
    claim(sessionId: string): void {
      unclaimed.get(sessionId)?.abort()
      unclaimed.delete(sessionId)
    },
    isLeaving: (sessionId: string): boolean => leaving.has(sessionId),
    /** Resolves when the home is saved. */
    left: async (sessionId: string): Promise<void> => await leaving.get(sessionId),
  }
}
