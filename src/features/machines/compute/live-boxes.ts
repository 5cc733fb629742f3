// The boxes of the sessions of one kind: those that are open, and those that come back with a saved home.
import type { Clock, Log } from '#core/ports.ts'
import type { SessionContext } from '#core/session.ts'
import type { StandingBox } from '#platform/sandbox/standing-box.ts'
import type { Homes } from './homes.ts'
import { type BoxState, createLiveBox, type LiveBox } from './live-box.ts'
import type { Machine } from './machine.ts'
import type { BoxPolicy } from './policies.ts'

/**
 * A box that came back after its attempt had given up waits for the next attempt for as long. Its use is not charged.
 */
const unclaimedMs = 60_000

export function createLiveBoxes(
  terms: BoxPolicy,
  { machine, homes, log }: { machine: Machine; homes: Homes; log: Log },
) {
  const live = new Map<string, LiveBox>()
  const arriving = new Map<string, Promise<LiveBox | undefined>>()
  const leaving = new AbortController()

  function start(sessionId: string, box: StandingBox, state: BoxState, clock: Clock) {
    function forget() {
      if (live.get(sessionId) === started) live.delete(sessionId)
    }
    const started = createLiveBox(terms, { sessionId, box, state, clock, homes, log, forget })
    live.set(sessionId, started)
    void box.ended.then(forget)
    return started
  }

  /** The saved home stays until a command can change what is in the box: nothing is lost if this goes wrong. */
  async function arrive({ sessionId, accountId, signal, clock }: SessionContext, state: unknown) {
    if (!(await homes.has(sessionId))) return undefined
    homes.reserve(sessionId)
    try {
      const box = await machine.open(accountId, AbortSignal.any([signal, leaving.signal]))
      await fill(sessionId, box)
      return start(sessionId, box, (state ?? {}) as BoxState, clock)
    } catch (thrown) {
      homes.release(sessionId)
      throw thrown
    }
  }

  /** A large home takes longer than one attempt waits: the next attempt joins the first. */
  async function join(context: SessionContext, state: unknown): Promise<LiveBox | undefined> {
    const { sessionId } = context
    const coming =
      arriving.get(sessionId) ?? arrive(context, state).finally(() => arriving.delete(sessionId))
    arriving.set(sessionId, coming)
    return await coming
  }

  async function fill(sessionId: string, box: StandingBox): Promise<void> {
    const stop = () => void box.close()
    leaving.signal.addEventListener('abort', stop, { once: true })
    try {
      leaving.signal.throwIfAborted()
      await homes.restore(sessionId, box)
    } catch (thrown) {
      await box.close()
      throw thrown
    } finally {
      leaving.signal.removeEventListener('abort', stop)
    }
  }

  /** The attempt that asked for this box has given up. */
  async function awaitNextAttempt(box: LiveBox, clock: Clock): Promise<void> {
    await clock.sleep(unclaimedMs, leaving.signal).catch(() => {})
    if (!box.isClaimed && !leaving.signal.aborted) await box.setAside()
  }

  return {
    start,
    /** Undefined when nothing is left of the session. */
    async adopt(context: SessionContext, state: unknown): Promise<LiveBox | undefined> {
      const { sessionId, signal, clock } = context
      const box = live.get(sessionId) ?? (await join(context, state))
      if (!signal.aborted && box !== undefined) box.isClaimed = true
      if (signal.aborted && box !== undefined) void awaitNextAttempt(box, clock)
      return box
    },
    async close(sessionId: string): Promise<void> {
      await arriving.get(sessionId)?.catch(() => {})
      await live.get(sessionId)?.resource.close()
    },
    async leave(): Promise<void> {
      leaving.abort(new Error('The gateway stops.'))
      await Promise.allSettled(arriving.values())
      await Promise.all([...live.values()].map((each) => each.leave()))
    },
  }
}
