// How the engine reaches the kind of a session, and what it is built on.
import type { OpenAccess } from '#core/access/open-access.ts'
import type { Catalog, CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { DefineErrand } from '#core/gateways/elsewhere.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { SessionContext, SessionKind } from '#core/session.ts'
import type { Ledger } from '#money/ledger/ledger.ts'
import type { CommandJobs } from './command-jobs.ts'
import type { LiveSession } from './live-session.ts'
import type { createRepeats } from './repeats.ts'
import type { SessionRow, SessionRows } from './session-rows.ts'

export interface SessionDependencies {
  readonly catalog: Pick<Catalog, 'find' | 'entries'>
  readonly ledger: Pick<
    Ledger,
    'holdJob' | 'settle' | 'extend' | 'fit' | 'catchUp' | 'gatewayNumber'
  >
  readonly rows: SessionRows
  readonly access: Pick<OpenAccess, 'enter'>
  readonly runOnce: ReturnType<typeof createRepeats>
  readonly beginJob: CommandJobs['begin']
  readonly machine: string
  readonly filesOf: OpenCallerFiles
  readonly defineErrand: DefineErrand
  readonly clock: Clock
  readonly log: Log
}

/** The sessions of this gateway, in memory. */
export interface OwnSessions {
  /** Those whose resources it has. */
  readonly lives: Map<string, LiveSession>
  /** Those that it is about to open, resume or take over, with their actions. */
  readonly coming: Map<string, string>
}

export const gone = () => fail('session_closed')

export const kindOf = ({ action }: CatalogEntry): SessionKind<unknown> => {
  if (action.session === undefined) throw new TypeError(`${action.name} creates no session.`)
  return action.session
}

export function contextOf(
  { service }: CatalogEntry,
  { id: sessionId, accountId }: Pick<SessionRow, 'id' | 'accountId'>,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): SessionContext {
  return { sessionId, accountId, http: service.http.withSignal(signal), signal, clock }
}
