import type { Database } from '#platform/database/database.ts'
import type { SessionDependencies } from './kinds.ts'
import { createRepeats } from './repeats.ts'
import { createSessionRows } from './session-rows.ts'
import { createSessions, type Sessions } from './sessions.ts'

/** The sessions of a gateway. `secret` encrypts the states of their resources. */
export function openSessions({
  database,
  secret,
  ...dependencies
}: Omit<SessionDependencies, 'rows' | 'runOnce'> & {
  database: Database
  secret: string
}): Sessions {
  const { gatewayNumber } = dependencies.ledger
  const { machine, clock } = dependencies
  const rows = createSessionRows({ database, gatewayNumber, machine, secret })
  const runOnce = createRepeats({ database, gatewayNumber, clock })
  return createSessions({ ...dependencies, rows, runOnce })
}
