// The turns of tabs, as the database takes them: one statement on one connection, sent until it is answered.
import type { Micros } from '#core/money.ts'
import type { Clock, Log } from '#core/ports.ts'
import { type Database, isTransient } from '#platform/database/database.ts'
import { recordset } from './rows.ts'
import { connectAsGateway, replaceConnection } from './session.ts'

/** What one tab asks for, and the calls that ended on it. */
export interface TabTurn {
  readonly tab: {
    readonly id: string
    readonly accountId: string
    /** The key with limits whose calls it takes. */
    readonly keyId: string | undefined
    readonly action: string
    readonly turn: number
    readonly dearest: Micros
  }
  /** Each as a line of JSON, of the form `lease_call`. */
  readonly ended: readonly { readonly line: string }[]
  readonly take: Micros
  readonly takePlaces: number
  readonly give: Micros
  readonly givePlaces: number
  /** The tab is closed by it, and gives back whatever it has. */
  readonly last: boolean
}

export interface TabRow {
  readonly id: string
  readonly granted: Micros
  readonly granted_places: number
  /** How long its day goes on. */
  readonly lives_ms: number
  /** The most that one call of its key may cost. */
  readonly call_micros_max: Micros | null
}

export interface TabTurns {
  /** Repeats it on a new connection while the database is away. Throws what the database has against it. */
  commit(turns: readonly TabTurn[]): Promise<readonly TabRow[]>
  /** Writes and charges a call whose tab is gone, repeats it like `commit`, and leaves it on file at the end. */
  replay(line: string): Promise<void>
  /** What is under way is tried once more at the most. */
  hurry(): void
  close(): Promise<void>
}

const replayDelayMs = 250
/** A tab takes at most one part in so many of what its account has left. */
const share = 8

const statement = {
  name: 'lease_commit',
  text: 'select * from lease_commit($1, $2, $3, $4, $5)',
}

export async function openTabTurns({
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
}): Promise<TabTurns> {
  let isHurried = false
  let connection = await connect()

  function connect() {
    // It need not wait for the disk: what a power failure forgets is a second of charges.
    return connectAsGateway(database, { gatewayNumber, durable: false })
  }

  async function send(turns: readonly TabTurn[]): Promise<readonly TabRow[]> {
    const { rows } = await connection.query<TabRow>({
      ...statement,
      values: [
        gatewayNumber,
        inFlightMax,
        share,
        JSON.stringify(turns.map(turnRecord)),
        recordset(turns.flatMap(({ ended }) => ended.map(({ line }) => line))),
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
          log.warn({ err: error }, 'The database is in trouble; the tabs are connecting again.')
          const isOver = () => isHurried
          connection = await replaceConnection(connection, { connect, clock, isOver, failures })
        }
      }
    },
    async replay(line) {
      for (;;) {
        try {
          await database.query('select lease_replay($1)', [line])
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
function turnRecord({ tab, take, takePlaces, give, givePlaces, last }: TabTurn) {
  return {
    lease: tab.id,
    account: tab.accountId,
    key: tab.keyId,
    action: tab.action,
    turn: tab.turn + 1,
    take,
    least: take > 0 ? tab.dearest : 0,
    take_places: takePlaces,
    give,
    give_places: givePlaces,
    last,
  }
}
