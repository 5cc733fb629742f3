// How sessions pause, and pass from one call to the next.
import { type CallError, fail } from '#core/errors.ts'
import { withDeadline } from '#platform/deadline.ts'
import { didNotEnd } from '../execute/did-not-end.ts'
import type { Endings } from './endings.ts'
import { gone, type OwnSessions, type SessionDependencies } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionRow } from './session-rows.ts'

/** Longer than a box needs to save its files or to fail. */
const suspendTimeoutMs = 180_000
/** What could not be suspended goes on, is charged, and is tried again after this time. */
const suspendAgainAfterMs = 10 * 60_000
/** What cannot be suspended for a day after its last command is closed, so that it does not use up the balance. */
const keptAwakeMsMax = 86_400_000

const endedByItself = () =>
  fail('upstream_error', {
    message:
      'The box of this session has ended, for example because its programs used up its memory. Send the command again: the session continues with the files that it had after the last finished command.',
  })

export type Pauses = ReturnType<typeof createPauses>

export function createPauses(
  { rows, clock, log }: Pick<SessionDependencies, 'rows' | 'clock' | 'log'>,
  { money, endings, own: { lives } }: { money: SessionMoney; endings: Endings; own: OwnSessions },
) {
  /** Settles the call of a session that goes on. Undefined when the session has ended meanwhile. */
  async function settleSoFar(live: LiveSession): Promise<SessionRow | undefined> {
    const owned = await rows.see([await live.sight()], clock.now())
    const row = owned.has(live.id) ? await rows.get(live.id) : undefined
    if (row !== undefined) await money.settle(row)
    return row && (await rows.get(live.id))
  }

  /** Its resource has stopped, and `adopt` continues it with this state. A failure leaves it to the next round. */
  async function standStill(live: LiveSession, state: unknown, reason: CallError): Promise<void> {
    const row = await settleSoFar(live)
    if (row !== undefined) await rows.suspend(live.id, row.used, state, clock.now())
    lives.delete(live.id)
    live.ended.abort(reason)
  }

  return {
    /** When it cannot be suspended, it stays open, and is not tried again for a while. */
    async suspend(live: LiveSession): Promise<void> {
      const { suspend } = live.resource
      if (live.running > 0) return
      live.suspendsFromMs = clock.now() + suspendAgainAfterMs
      if (suspend === undefined) return
      live.isSuspending = true
      try {
        const state = await withDeadline({ late: didNotEnd, timeoutMs: suspendTimeoutMs }, suspend)
        await standStill(live, state, gone())
      } catch (thrown) {
        log.warn({ err: thrown, sessionId: live.id }, 'A session could not be suspended.')
        if (clock.now() >= live.lastUsedAtMs + keptAwakeMsMax) await endings.endLive(live, 'idle')
      } finally {
        live.isSuspending = false
      }
    },
    /** Its resource has ended by itself. What was saved of it can be continued; without that, the session ends. */
    async lose(live: LiveSession): Promise<void> {
      if (!lives.has(live.id)) return
      const { salvage } = live.resource
      // The rest of what a wallet has paid can be given back only now.
      const isOver = salvage === undefined || live.keyId === null
      if (isOver) return void (await endings.endLive(live, 'lost'))
      let state: unknown
      try {
        state = await withDeadline({ late: didNotEnd, timeoutMs: suspendTimeoutMs }, salvage)
      } catch (thrown) {
        log.warn({ err: thrown, sessionId: live.id }, 'Nothing is left of a session.')
        return void (await endings.endLive(live, 'lost'))
      }
      await standStill(live, state, endedByItself())
    },
    /** The new call holds nothing yet: it is extended as far as the balance goes, like any other. */
    async renew(live: LiveSession): Promise<void> {
      const row = await settleSoFar(live)
      if (row === undefined) return
      live.settledMicros = row.settled
      const next = await money.holdNext(row, 0)
      if (next?.outcome.outcome !== 'held') {
        live.heldMicros = 0
        await endings.endLive(live, 'balance')
        return
      }
      live.callId = next.callId
      live.heldMicros = next.heldMicros
      live.callOpenedAtMs = clock.now()
    },
  }
}
