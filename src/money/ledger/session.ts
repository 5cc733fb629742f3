import type { Client } from 'pg'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { ProcessPlaces } from '#platform/process-place.ts'

const reconnectDelaysMs = [0, 50, 100, 250, 500, 1_000] as const

export interface GatewaySession {
  readonly database: Database
  readonly gatewayNumber: number
  readonly places?: ProcessPlaces
}

/** A connection kept for the life of this process: its lock tells other gateways that our calls are not abandoned. */
export async function connectAsGateway({
  database,
  gatewayNumber,
  places,
}: GatewaySession): Promise<Client> {
  const client = await database.connect()
  // Shared, so a new connection need not wait until the server notices the end of the old one.
  await client.query(`select pg_advisory_lock_shared(hashtext('tollway.gateway'), $1)`, [
    gatewayNumber,
  ])
  await client.query('select note_gateway($1, $2)', [gatewayNumber, places?.own ?? null])
  return client
}

/**
 * Replaces a lost connection, and tries until it succeeds. Once `isOver`, rejects with the error of the last attempt.
 */
export async function replaceConnection(
  lost: Client,
  options: {
    connect: () => Promise<Client>
    clock: Clock
    isOver: () => boolean
    beforeAttempt?: () => void
    /** How often the database has failed in a row: the wait grows with it. */
    failures?: number
  },
): Promise<Client> {
  for (let attempt = Math.max(0, (options.failures ?? 1) - 1); ; attempt += 1) {
    options.beforeAttempt?.()
    const delayMs = reconnectDelaysMs[Math.min(attempt, reconnectDelaysMs.length - 1)] ?? 0
    await options.clock.sleep(delayMs)
    try {
      void lost.end().catch(() => {})
      return await options.connect()
    } catch (error) {
      if (options.isOver()) throw error
    }
  }
}
