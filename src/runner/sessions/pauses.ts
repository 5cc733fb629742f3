// How sessions pause, and pass from one call to the next.
import { withDeadline } from '../execute/deadline.ts'
import type { Endings } from './endings.ts'
import { gone, type OwnSessions, type SessionDependencies } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionRow } from './session-rows.ts'

const suspendTimeoutMs = 60_000

export type Pauses = ReturnType<typeof createPauses>

export function createPauses(
  { rows, clock }: Pick<SessionDependencies, 'rows' | 'clock'>,
  { money, endings, own: { lives } }: { money: SessionMoney; endings: Endings; own: OwnSessions },
) {
  /** Settles the call of a session that goes on. Undefined when the session has ended meanwhile. */
  async function settleSoFar(live: LiveSession): Promise<SessionRow | undefined> {
    const { used } = await live.standing()
    const sighting = { id: live.id, used, lastUsedAtMs: live.lastUsedAtMs }
    const owned = await rows.see([sighting], clock.now())
    const row = owned.has(live.id) ? await rows.get(live.id) : undefined
    if (row !== undefined) await money.settle(row)
    return row && (await rows.get(live.id))
  }

  async function suspendNow(live: LiveSession, suspend: () => Promise<unknown>): Promise<void> {
    const state = await withDeadline({ timeoutMs: suspendTimeoutMs }, suspend)
    const row = await settleSoFar(live)
    if (row !== undefined) await rows.suspend(live.id, row.used, state, clock.now())
    lives.delete(live.id)
    live.ended.abort(gone())
  }

  return {
    async suspend(live: LiveSession): Promise<void> {
      const { suspend } = live.resource
      if (suspend === undefined || live.running > 0) return
      live.isSuspending = true
      await suspendNow(live, suspend).finally(() => {
        live.isSuspending = false
      })
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
