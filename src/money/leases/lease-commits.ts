// The turns of leases, as the database takes them: one statement on one connection, repeated until it is answered.
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Database, isTransient } from '#platform/database/database.ts'
import { recordset } from '../ledger/records.ts'
import { connectAsGateway, replaceConnection } from '../ledger/session.ts'
import type { Ask, Lease } from './lease.ts'

/** One turn of a lease: what it asks for, and the calls that ended on it. */
export interface LeaseTurn {
  readonly lease: Lease
  readonly ask: Ask
  /** Each as a record of `lease_call`. */
  readonly ended: readonly { readonly record: string }[]
}

export interface LeaseRow {
  readonly id: string
  readonly granted: Micros
  readonly granted_places: number
  readonly lives_ms: number
  readonly call_micros_max: Micros | null
}

export interface LeaseCommits {
  /** Repeats on a new connection while the database is away. Throws what the database reports against the statement. */
  commit(turns: readonly LeaseTurn[]): Promise<readonly LeaseRow[]>
  /** Writes and charges a call whose lease is gone. Repeats like `commit`. */
  replay(record: string): Promise<void>
  /** From now on, a statement under way is tried once more at most. */
  hurry(): void
  close(): Promise<void>
}

const replayDelayMs = 250
/** A lease takes at most one part in so many of what its account has left. */
const share = 8

const statement = {
  name: 'lease_commit',
  text: 'select * from lease_commit($1, $2, $3, $4, $5)',
}

export async function openLeaseCommits({
  database,
  gatewayNumber,
  inFlightMax,
  clock,
  log,
}: {
  database: Database
  gatewayNumber: number
  inFlightMax: number
  clock: Clock
  log: Log
}): Promise<LeaseCommits> {
  let isHurried = false
  let connection = await connect()

  function connect() {
    // Without waiting for the disk: a power failure loses a second of charges.
    return connectAsGateway(database, { gatewayNumber, durable: false })
  }

  async function send(turns: readonly LeaseTurn[]): Promise<readonly LeaseRow[]> {
    const { rows } = await connection.query<LeaseRow>({
      ...statement,
      values: [
        gatewayNumber,
        inFlightMax,
        share,
        JSON.stringify(turns.map(turnRecord)),
        recordset(turns.flatMap(({ ended }) => ended.map(({ record }) => record))),
      ],
    })
    return rows
  }

  return {
    async commit(turns) {
      for (let failures = 1; ; failures += 1) {
        try {
          return await send(turns)
        } catch (error) {
          if (!isTransient(error) || (isHurried && failures > 1)) throw error
          log.warn({ err: error }, 'The database is in trouble; the leases reconnect.')
          const isOver = () => isHurried
          connection = await replaceConnection(connection, { connect, clock, isOver, failures })
        }
      }
    },
    async replay(record) {
      for (;;) {
        try {
          await database.query('select lease_replay($1)', [record])
          return
        } catch (error) {
          if (isHurried || !isTransient(error)) throw error
          await clock.sleep(replayDelayMs)
        }
      }
    },
    hurry() {
      isHurried = true
    },
    close: () => connection.end(),
  }
}

/** As a record of `lease_turn`. */
function turnRecord({ lease, ask }: LeaseTurn) {
  return {
    lease: lease.id,
    account: lease.accountId,
    key: lease.keyId,
    action: lease.action,
    turn: lease.turn + 1,
    take: ask.take,
    least: ask.take > 0 ? lease.dearest : 0,
    take_places: ask.takePlaces,
    give: ask.give,
    give_places: ask.givePlaces,
    last: ask.last,
  }
}
