// How sessions get their resources: opened, resumed, or taken over from a gateway that has stopped.
import { type CatalogEntry, defaultTimeoutMs, splitId } from '#core/catalog.ts'
import { fail, toCallError } from '#core/errors.ts'
import type { SessionResource } from '#core/session.ts'
import { withDeadline } from '../execute/deadline.ts'
import { holdRefusal } from '../run/hold-refusal.ts'
import type { Endings } from './endings.ts'
import { contextOf, gone, kindOf, type SessionDependencies } from './kinds.ts'
import { createLiveSession, type LiveSession } from './live-session.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionRow } from './session-rows.ts'

const adoptTimeoutMs = 15_000

export function createAwakening(
  { catalog, rows, machine, clock }: Omit<SessionDependencies, 'ledger' | 'log'>,
  {
    money,
    lives,
    endings,
  }: { money: SessionMoney; lives: Map<string, LiveSession>; endings: Endings },
) {
  const resuming = new Map<string, Promise<LiveSession>>()

  async function bringToLife(
    entry: CatalogEntry,
    resource: SessionResource,
    sessionId: string,
  ): Promise<LiveSession> {
    const { perSecond, state } = resource
    const isOpen = await rows.open(sessionId, perSecond, state, clock.now())
    const row = isOpen ? await rows.get(sessionId) : undefined
    if (row === undefined || row.callId === null || row.held === null) {
      // Closed while it opened.
      await resource.close()
      throw gone()
    }
    const call = { callId: row.callId, heldMicros: row.held }
    const live = createLiveSession({ entry, kind: kindOf(entry), resource, clock }, row, call)
    lives.set(sessionId, live)
    return live
  }

  async function adopt(row: SessionRow): Promise<LiveSession | undefined> {
    const entry = catalog.find(...splitId(row.action))
    if (entry === undefined || (row.machine !== null && row.machine !== machine)) return undefined
    const resource = await withDeadline({ timeoutMs: adoptTimeoutMs }, (signal) =>
      kindOf(entry).adopt(contextOf(entry, row.id, { signal, clock }), rows.stateOf(row)),
    )
    return resource && (await bringToLife(entry, resource, row.id))
  }

  async function resume(id: string): Promise<LiveSession> {
    const row = await rows.awaken(id)
    if (row === undefined) throw fail('session_elsewhere')
    try {
      const next = await money.holdNext(row, row.reserve)
      if (next === null) throw gone()
      if (next.outcome.outcome !== 'held') {
        if (next.outcome.outcome === 'replay') throw fail('unavailable')
        throw holdRefusal(next.outcome, { kind: 'cap', micros: next.heldMicros })
      }
      const live = await adopt(row)
      if (live !== undefined) return live
    } catch (thrown) {
      const failure = toCallError(thrown)
      const waiting = await rows.get(id)
      if (waiting !== undefined) await money.settle(waiting, failure)
      await rows.lullAgain(id)
      throw failure
    }
    await endings.closeNow(id, 'lost')
    throw gone()
  }

  return {
    async open(entry: CatalogEntry, sessionId: string, input: unknown): Promise<void> {
      const timeoutMs = entry.action.timeoutMs ?? defaultTimeoutMs
      try {
        let isLate = false
        const resource = await withDeadline({ timeoutMs }, async (signal) => {
          const context = contextOf(entry, sessionId, { signal, clock })
          const opened = await kindOf(entry).open({ ...context, input })
          if (isLate) await opened.close()
          return opened
        }).catch((thrown) => {
          isLate = true
          throw thrown
        })
        await bringToLife(entry, resource, sessionId)
      } catch (thrown) {
        const failure = toCallError(thrown)
        await endings.closeNow(sessionId, 'failed', failure)
        throw failure
      }
    },
    /** A suspended session needs money and its resource again. Requests at the same time wait for the same. */
    async resume(row: SessionRow): Promise<LiveSession> {
      const { id, state } = row
      if (state === 'closing' || state === 'closed') throw gone()
      if (state !== 'suspended' && !resuming.has(id)) throw fail('session_elsewhere')
      const known = resuming.get(id) ?? resume(id).finally(() => resuming.delete(id))
      resuming.set(id, known)
      return await known
    },
    /** Continues a session that a stopped gateway left, or ends it with the use that was written last. */
    async takeOver(row: SessionRow): Promise<void> {
      const { id, state, resource } = row
      if (state === 'closing') return await endings.end(row)
      if (state === 'opening') {
        const failure = fail('upstream_error')
        if (resource === null) return await endings.closeNow(id, 'gateway', failure)
        await money.settle(row, failure)
        return await rows.lullAgain(id)
      }
      if (row.callId === null && !(await hasCallAgain(row))) {
        return await endings.closeNow(id, 'balance')
      }
      const adopted = await adopt(row).catch(() => undefined)
      if (adopted === undefined) await endings.closeNow(id, 'gateway')
    },
  }

  /** The gateway died between two calls of the session. The first round extends the new one. */
  async function hasCallAgain(row: SessionRow): Promise<boolean> {
    return (await money.holdNext(row, 0))?.outcome.outcome === 'held'
  }
}
