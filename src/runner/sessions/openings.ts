// Opens the resources of new sessions. One that comes after its time limit is still known here, so that it can be
// removed.
import { type CatalogEntry, defaultTimeoutMs } from '#core/catalog.ts'
import type { Clock } from '#core/ports.ts'
import type { SessionResource } from '#core/session.ts'
import { withDeadline } from '#platform/deadline.ts'
import { didNotEnd } from '../execute/did-not-end.ts'
import { contextOf, gone, kindOf } from './kinds.ts'
import type { SessionRows } from './session-rows.ts'

export type Openings = ReturnType<typeof createOpenings>

export function createOpenings({ clock, rows }: { clock: Clock; rows: Pick<SessionRows, 'get'> }) {
  const underWay = new Map<string, Promise<SessionResource | undefined>>()
  return {
    async open(entry: CatalogEntry, sessionId: string, input: unknown): Promise<SessionResource> {
      const timeoutMs = entry.action.timeoutMs ?? defaultTimeoutMs
      const row = await rows.get(sessionId)
      if (row === undefined) throw gone()
      return await withDeadline({ late: didNotEnd, timeoutMs }, (signal) => {
        const context = contextOf(entry, row, { signal, clock })
        const opened = kindOf(entry).open({ ...context, input })
        underWay.set(
          sessionId,
          opened.catch(() => undefined),
        )
        return opened
      })
    },
    /** The resource that the opening of this session has brought, or will bring. */
    outcomeOf: async (sessionId: string) => await underWay.get(sessionId),
    forget: (sessionId: string) => underWay.delete(sessionId),
  }
}
