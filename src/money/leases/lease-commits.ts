// The turns of leases, as the database takes them: one statement on one connection, repeated until it is answered.
import type { Client } from 'pg'
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { isTransient } from '#platform/database/database.ts'
import { recordset } from '../ledger/records.ts'
import { connectAsGateway, type GatewaySession, replaceConnection } from '../ledger/session.ts'
import type { Ask, Lease } from './lease.ts'

/** One turn of a lease: what it asks for, and the calls that ended on it. */
export interface LeaseTurn {
  readonly lease: Lease
  readonly ask: Ask
  /** What calls under way may cost, and those that ended and come with a later turn do cost. */
  readonly reserved: Micros
  /** Each as a record of `lease_call`. */
  readonly ended: readonly { readonly record: string }[]
}

export interface LeaseRow {
  readonly id: string
  readonly granted: Micros
  readonly granted_places: number
  readonly lives_ms: number
  readonly call_micros_max: Micros | null
  /** Claimed calls of the batch that the books have ended otherwise. */
  readonly gone: readonly string[]
  /** What the account can spend, with what its leases have to spare. */
  readonly spendable: Micros
}

export interface LeaseCommits {
  /**
   * Repeats on a new connection while the database is away. Resolves to a row for each turn that counts. `isDurable`:
   * the answer waits until the disk of the database has this commit and all before it, unless the connection broke
   * meanwhile. Throws what the database reports against the statement.
   */
  commit(turns: readonly LeaseTurn[], isDurable: boolean): Promise<readonly LeaseRow[]>
  /**
   * Releases the leases that the database has for this gateway, except those that it has at the same turn. Resolves to
   * the ids of these. Repeats like `commit`.
   */
  reconcile(known: readonly Lease[]): Promise<ReadonlySet<string>>
  /** Which of these calls the books do not have. Repeats like `commit`. */
  unwritten(callIds: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Writes and charges a call whose lease is gone. Durable. False: the books have ended it otherwise. Repeats like
   * `commit`.
   */
  replay(record: string): Promise<boolean>
  /** What the account can spend, with what its leases have to spare. Repeats like `commit`. */
  spendable(accountId: string): Promise<Micros>
  /** How often a connection broke. With each, the database may have crashed, and may have forgotten commits. */
  breaks(): number
  /** From now on, a statement under way is tried once more at most. */
  hurry(): void
  isHurried(): boolean
  close(): Promise<void>
}

const replayDelayMs = 250
/** A lease takes at most one part in so many of what its account has left. */
const share = 8

interface Dependencies extends GatewaySession {
  readonly inFlightMax: number
  readonly clock: Clock
  readonly log: Log
  /** Called when a connection has ended, also while no statement is under way. */
  readonly onBreak: () => void
}

export async function openLeaseCommits(dependencies: Dependencies): Promise<LeaseCommits> {
  const { database, gatewayNumber, inFlightMax, clock } = dependencies
  const { rowsOf, ...session } = await openSession(dependencies)

  /** Asks for one value, on any connection. */
  async function surely<Value>(statement: string, about: string): Promise<Value> {
    for (;;) {
      try {
        const [row] = await database.query<{ value: Value }>(statement, [about])
        if (row === undefined) throw new Error(`PostgreSQL returned no row: ${statement}`)
        return row.value
      } catch (error) {
        if (session.isHurried() || !isTransient(error)) throw error
        await clock.sleep(replayDelayMs)
      }
    }
  }

  return {
    ...session,
    commit: (turns, isDurable) =>
      rowsOf<LeaseRow>(statements.commit, [
        gatewayNumber,
        inFlightMax,
        share,
        JSON.stringify(turns.map(turnRecord)),
        recordset(turns.flatMap(({ ended }) => ended.map(({ record }) => record))),
        isDurable,
      ]),
    async reconcile(known) {
      const turns = known.map(({ id, turn }) => ({ lease: id, turn }))
      const values = [gatewayNumber, JSON.stringify(turns)]
      const rows = await rowsOf<{ id: string }>(statements.reconcile, values)
      return new Set(rows.map(({ id }) => id))
    },
    async unwritten(callIds) {
      const rows = await rowsOf<{ id: string }>(statements.unwritten, [callIds])
      return new Set(rows.map(({ id }) => id))
    },
    replay: (record) => surely('select lease_replay($1) as value', record),
    spendable: (accountId) => surely(`select spendable($1, '{}') as value`, accountId),
  }
}

/** The connection that the turns travel on, replaced when it breaks. */
async function openSession(dependencies: Dependencies) {
  const { clock, log, onBreak } = dependencies
  let isHurried = false
  let isClosed = false
  let breaks = 0
  let connection = await connect()

  async function connect(): Promise<Client> {
    const client = await connectAsGateway(dependencies)
    client.once('end', () => {
      if (isClosed || client !== connection) return
      breaks += 1
      onBreak()
    })
    return client
  }

  return {
    async rowsOf<Row extends object>(
      statement: { readonly name: string; readonly text: string },
      values: readonly unknown[],
    ): Promise<readonly Row[]> {
      for (let failures = 1; ; failures += 1) {
        try {
          return (await connection.query<Row>({ ...statement, values: [...values] })).rows
        } catch (error) {
          if (!isTransient(error) || (isHurried && failures > 1)) throw error
          log.warn({ err: error }, 'The database is in trouble; the leases reconnect.')
          breaks += 1
          const isOver = () => isHurried
          connection = await replaceConnection(connection, { connect, clock, isOver, failures })
        }
      }
    },
    breaks: () => breaks,
    isHurried: () => isHurried,
    hurry() {
      isHurried = true
    },
    close() {
      isClosed = true
      return connection.end()
    },
  }
}

const statements = {
  commit: {
    name: 'lease_commit_turns',
    text: 'select * from lease_commit_turns($1, $2, $3, $4, $5, $6)',
  },
  reconcile: {
    name: 'reconcile_leases',
    text: 'select id from reconcile_leases($1, $2) as known (id)',
  },
  unwritten: { name: 'unwritten_calls', text: 'select id from unwritten_calls($1) as call (id)' },
}

/** As a record of `lease_turn`. */
function turnRecord({ lease, ask, reserved }: LeaseTurn) {
  return {
    lease: lease.id,
    account: lease.accountId,
    key: lease.keyId,
    action: lease.action,
    inference: lease.inference,
    reserved,
    turn: lease.turn + 1,
    take: ask.take,
    least: ask.take > 0 ? lease.dearest : 0,
    take_places: ask.takePlaces,
    give: ask.give,
    give_places: ask.givePlaces,
    last: ask.last,
  }
}
