// How sessions end, pause, and pass from one call to the next.
import { splitId } from '#core/catalog.ts'
import type { CallError } from '#core/errors.ts'
import type { SessionResource } from '#core/session.ts'
import { withDeadline } from '../execute/deadline.ts'
import { contextOf, gone, kindOf, type SessionDependencies } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { CloseReason } from './plan.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionRow } from './session-rows.ts'

const removeTimeoutMs = 15_000

export type Endings = ReturnType<typeof createEndings>

export function createEndings(
  { catalog, ledger, rows, machine, clock, log }: SessionDependencies,
  money: SessionMoney,
  lives: Map<string, LiveSession>,
) {
  const removing = new Map<string, Promise<void>>()

  /** Removes the resource of a session whose meter has stopped. What fails is tried again in the next round. */
  async function remove(row: SessionRow, resource?: SessionResource): Promise<void> {
    const isElsewhere = row.machine !== null && row.machine !== machine
    if (isElsewhere || row.gatewayId !== ledger.gatewayNumber) return
    const known =
      removing.get(row.id) ?? removeNow(row, resource).finally(() => removing.delete(row.id))
    removing.set(row.id, known)
    await known
  }

  async function removeNow(row: SessionRow, resource?: SessionResource): Promise<void> {
    try {
      const entry = catalog.find(...splitId(row.action))
      await withDeadline({ timeoutMs: removeTimeoutMs }, async (signal) => {
        if (resource !== undefined) return await resource.close()
        // Without its action, nothing here knows how to remove it.
        if (entry === undefined) throw new Error(`There is no action ${row.action} any more.`)
        await kindOf(entry).discard(contextOf(entry, row.id, { signal, clock }), rows.stateOf(row))
      })
      await rows.finishClosing(row.id, clock.now())
    } catch (error) {
      log.warn(
        { err: error, sessionId: row.id },
        'A session could not be removed; it is tried again.',
      )
    }
  }

  async function end(row: SessionRow, resource?: SessionResource, failure?: CallError) {
    await money.settle(row, failure)
    await remove(row, resource)
  }

  async function endLive(live: LiveSession, reason: CloseReason): Promise<void> {
    if (!lives.has(live.id)) return
    const { used } = await live.standing()
    const closing = await rows.startClosing(live.id, reason, { used, nowMs: clock.now() })
    lives.delete(live.id)
    live.ended.abort(gone())
    if (closing !== undefined) await end(closing, live.resource)
  }

  /** Settles the call of a session that goes on. False when the session has ended meanwhile. */
  async function settleSoFar(live: LiveSession): Promise<SessionRow | undefined> {
    const { used } = await live.standing()
    const owned = await rows.see(
      [{ id: live.id, used, lastUsedAtMs: live.lastUsedAtMs }],
      clock.now(),
    )
    const row = owned.has(live.id) ? await rows.get(live.id) : undefined
    if (row !== undefined) await money.settle(row)
    return row && (await rows.get(live.id))
  }

  return {
    end,
    endLive,
    async closeNow(id: string, reason: CloseReason, failure?: CallError): Promise<void> {
      const live = lives.get(id)
      if (live !== undefined) return await live.inTurn(() => endLive(live, reason))
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
    async suspend(live: LiveSession): Promise<void> {
      if (live.resource.suspend === undefined) return
      const state = await live.resource.suspend()
      const row = await settleSoFar(live)
      if (row !== undefined) await rows.suspend(live.id, row.used, state, clock.now())
      lives.delete(live.id)
    },
    /** The new call holds nothing yet: it is extended as far as the balance goes, like any other. */
    async renew(live: LiveSession): Promise<void> {
      const row = await settleSoFar(live)
      if (row === undefined) return
      live.settledMicros = row.settled
      const next = await money.holdNext(row, 0)
      if (next?.outcome.outcome !== 'held') {
        live.heldMicros = 0
        return await endLive(live, 'balance')
      }
      live.callId = next.callId
      live.heldMicros = next.heldMicros
      live.callOpenedAtMs = clock.now()
    },
    async removeRest(): Promise<void> {
      for (const row of await rows.toRemove()) if (!lives.has(row.id)) await end(row)
    },
  }
}
