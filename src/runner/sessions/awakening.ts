// How sessions get their resources: opened, resumed, or taken over from a gateway that has stopped.
import { type CatalogEntry, splitId } from '#core/catalog.ts'
import { fail, toCallError } from '#core/errors.ts'
import { elsewhere } from '#core/gateways/elsewhere.ts'
import type { SessionResource } from '#core/session.ts'
import { withDeadline } from '#platform/deadline.ts'
import { didNotEnd } from '../execute/did-not-end.ts'
import { holdRefusal } from '../run/hold-refusal.ts'
import type { Endings } from './endings.ts'
import { contextOf, gone, kindOf, type OwnSessions, type SessionDependencies } from './kinds.ts'
import { createLiveSession, type LiveSession } from './live-session.ts'
import type { Openings } from './openings.ts'
import type { SessionMoney } from './session-money.ts'
import type { SessionRow } from './session-rows.ts'

const adoptTimeoutMs = 15_000

interface Parts {
  readonly money: SessionMoney
  readonly own: OwnSessions
  readonly endings: Endings
}

/** Gives a session the resource that was opened for it. */
export function createArrivals(
  {
    catalog,
    rows,
    access,
    clock,
    log,
  }: Omit<SessionDependencies, 'ledger' | 'runOnce' | 'machine'>,
  { own: { lives }, endings }: Pick<Parts, 'own' | 'endings'>,
) {
  /** The meter stops with the right by which the session was opened. A suspended session stays: it costs nothing. */
  function endWithRight(live: LiveSession) {
    const close = () =>
      void endings
        .closeNow(live.id, 'key_ended')
        .catch((error) => log.warn({ err: error, sessionId: live.id }, 'A session was not closed.'))
    live.ended.signal.addEventListener('abort', access.enter('session', live, close))
  }

  /** Undefined when it was closed while it opened. */
  async function rowOf(
    resource: SessionResource,
    sessionId: string,
  ): Promise<SessionRow | undefined> {
    const { perSecond, state } = resource
    try {
      const isOpen = await rows.open(sessionId, perSecond, state, clock.now())
      return isOpen ? await rows.get(sessionId) : undefined
    } catch (thrown) {
      // Without its row, it would go on without a meter.
      await resource.suspend?.().catch(() => {})
      throw thrown
    }
  }

  async function arrive(
    entry: CatalogEntry,
    resource: SessionResource,
    sessionId: string,
  ): Promise<LiveSession> {
    const row = await rowOf(resource, sessionId)
    if (row === undefined || row.callId === null || row.held === null) {
      // Closed while it opened.
      await resource.close()
      throw gone()
    }
    const call = { callId: row.callId, heldMicros: row.held }
    const live = createLiveSession({ entry, kind: kindOf(entry), resource, clock }, row, call)
    lives.set(sessionId, live)
    endWithRight(live)
    return live
  }

  return {
    arrive,
    /** Undefined when the resource is gone. */
    async adopt(row: SessionRow): Promise<LiveSession | undefined> {
      const entry = catalog.find(...splitId(row.action))
      if (entry === undefined) return undefined
      const resource = await withDeadline(
        { late: didNotEnd, timeoutMs: adoptTimeoutMs },
        (signal) =>
          kindOf(entry).adopt(contextOf(entry, row, { signal, clock }), rows.stateOf(row)),
      )
      return resource && (await arrive(entry, resource, row.id))
    },
  }
}

export type Arrivals = ReturnType<typeof createArrivals>

export function createOpening(
  { openings, arrivals }: { openings: Openings; arrivals: Arrivals },
  { own: { coming }, endings }: Pick<Parts, 'own' | 'endings'>,
) {
  return async function open(
    entry: CatalogEntry,
    sessionId: string,
    input: unknown,
  ): Promise<void> {
    try {
      const resource = await openings.open(entry, sessionId, input)
      await arrivals.arrive(entry, resource, sessionId)
      openings.forget(sessionId)
    } catch (thrown) {
      const failure = toCallError(thrown)
      await endings.closeNow(sessionId, 'failed', failure)
      throw failure
    } finally {
      coming.delete(sessionId)
    }
  }
}

export type OpenSession = ReturnType<typeof createOpening>

/** A suspended session needs money and its resource again. */
export function createResumption(
  { rows }: Pick<SessionDependencies, 'rows'>,
  { adopt }: Arrivals,
  { money, own: { coming }, endings }: Parts,
) {
  const underWay = new Map<string, Promise<LiveSession>>()

  async function resumeNow(id: string): Promise<LiveSession> {
    const row = await rows.awaken(id)
    if (row === undefined) throw await whyNot(id)
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

  async function whyNot(id: string) {
    const row = await rows.get(id)
    if (row?.state === 'closing' || row?.state === 'closed') return gone()
    if (row?.state === 'suspended' && row.machine !== null)
      return elsewhere({ machine: row.machine })
    return row === undefined ? fail('session_elsewhere') : elsewhere({ gateway: row.gatewayId })
  }

  /** Requests at the same time wait for the same. */
  return async function resume({ id, action }: SessionRow): Promise<LiveSession> {
    const known = underWay.get(id)
    if (known !== undefined) return await known
    if (coming.has(id)) throw fail('session_elsewhere')
    coming.set(id, action)
    const resuming = resumeNow(id).finally(() => {
      underWay.delete(id)
      coming.delete(id)
    })
    underWay.set(id, resuming)
    return await resuming
  }
}
