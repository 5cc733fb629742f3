// How sessions end: the use is charged first, then the resource is removed.
import { type CallError, fail } from '#core/errors.ts'
import type { CloseReason, SessionResource } from '#core/session.ts'
import { gone, type OwnSessions, type SessionDependencies } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { Removal } from './removal.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionRow } from './session-rows.ts'

export type Endings = ReturnType<typeof createEndings>

/** A session that could not be opened voids its call, also when another gateway ends it. */
const failureOf = ({ closeReason }: SessionRow): CallError | undefined =>
  closeReason === 'failed' ? fail('upstream_error') : undefined

export function createEndings(
  { rows, clock }: Pick<SessionDependencies, 'rows' | 'clock'>,
  { money, remove, own: { lives } }: { money: SessionMoney; remove: Removal; own: OwnSessions },
) {
  async function end(row: SessionRow, resource?: SessionResource, failure = failureOf(row)) {
    await money.settle(row, failure)
    await remove(row, resource)
  }

  /** False when it was suspended or ended before its turn came. */
  async function endLive(live: LiveSession, reason: CloseReason): Promise<boolean> {
    if (!lives.has(live.id)) return false
    const { used } = await live.standing()
    const closing = await rows.startClosing(live.id, reason, { used, nowMs: clock.now() })
    lives.delete(live.id)
    live.ended.abort(gone())
    if (closing !== undefined) await end(closing, live.resource)
    return true
  }

  return {
    end,
    endLive,
    async closeNow(id: string, reason: CloseReason, failure?: CallError): Promise<void> {
      const live = lives.get(id)
      if (live !== undefined && (await live.inTurn(() => endLive(live, reason)))) return
      const closing = await rows.startClosing(id, reason)
      if (closing !== undefined) await end(closing, undefined, failure)
    },
    /** Another gateway has closed the session or taken it over: only the resource is left. */
    async drop(live: LiveSession): Promise<void> {
      if (!lives.delete(live.id)) return
      live.ended.abort(gone())
      const row = await rows.get(live.id)
      if (row?.state === 'closing') await remove(row, live.resource)
    },
    async removeRest(): Promise<void> {
      const left = (await rows.toRemove()).filter(({ id }) => !lives.has(id))
      await Promise.all(left.map((row) => end(row)))
    },
  }
}
