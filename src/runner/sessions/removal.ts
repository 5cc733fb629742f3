// Removes the resources of sessions whose meters have stopped.
import { splitId } from '#core/catalog.ts'
import type { SessionResource } from '#core/session.ts'
import { withDeadline } from '#platform/deadline.ts'
import { didNotEnd } from '../execute/did-not-end.ts'
import { contextOf, kindOf, type SessionDependencies } from './kinds.ts'
import type { Openings } from './openings.ts'
import type { SessionRow } from './session-rows.ts'

const removeTimeoutMs = 15_000

export type Removal = ReturnType<typeof createRemoval>

/** What fails is tried again in the next round. */
export function createRemoval(
  { catalog, ledger, rows, machine, clock, log }: SessionDependencies,
  openings: Openings,
) {
  const underWay = new Map<string, Promise<void>>()

  async function removeNow(row: SessionRow, known?: SessionResource): Promise<void> {
    try {
      const entry = catalog.find(...splitId(row.action))
      await withDeadline({ late: didNotEnd, timeoutMs: removeTimeoutMs }, async (signal) => {
        const resource = known ?? (await openings.outcomeOf(row.id))
        if (resource !== undefined) return await resource.close()
        // Without its action, nothing here knows how to remove it.
        if (entry === undefined) throw new Error(`There is no action ${row.action} any more.`)
        await kindOf(entry).discard(contextOf(entry, row, { signal, clock }), rows.stateOf(row))
      })
      openings.forget(row.id)
      await rows.finishClosing(row.id, clock.now())
    } catch (error) {
      const fields = { err: error, sessionId: row.id }
      log.warn(fields, 'A session could not be removed; it is tried again.')
    }
  }

  return async function remove(row: SessionRow, resource?: SessionResource): Promise<void> {
    const isElsewhere = row.machine !== null && row.machine !== machine
    if (isElsewhere || row.gatewayId !== ledger.gatewayNumber) return
    const known =
      underWay.get(row.id) ?? removeNow(row, resource).finally(() => underWay.delete(row.id))
    underWay.set(row.id, known)
    await known
  }
}
