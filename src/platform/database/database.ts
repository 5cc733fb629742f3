import pg from 'pg'
import { fail } from '#core/errors.ts'
import { parseMicros } from '#core/money.ts'
import type { Log } from '#core/ports.ts'

export interface Database {
  /** Rows of one statement, on any pooled connection. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result>
  /** A connection of its own, outside the pool, for those who keep a session. The caller ends it. */
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

const connectionsMax = 10
const connectTimeoutMs = 5_000

const bigintOid = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === bigintOid
      ? parseMicros
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export function openDatabase(options: { connectionString: string; log: Log }): Database {
  const config = {
    connectionString: options.connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'tollway',
    types,
  }
  const pool = new pg.Pool({ ...config, max: connectionsMax })
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', (error) =>
    options.log.warn({ err: error }, 'An idle database connection broke.'),
  )

  return {
    query: async (text, values = []) => (await pool.query(text, [...values]).catch(refuse)).rows,
    async transaction(work) {
      const client = await pool.connect().catch(refuse)
      try {
        await client.query('begin')
        const result = await work(client)
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        await client.query('rollback').then(
          () => client.release(),
          (rollbackError: Error) => client.release(rollbackError),
        )
        throw error
      }
    },
    async connect() {
      const client = new pg.Client(config)
      await client.connect()
      return client
    },
    close: () => pool.end(),
  }
}

/** Whether the statement may or may not have been carried out, and is worth sending again on a new connection. */
export function isConnectionLoss(error: unknown): boolean {
  // What PostgreSQL itself reports of a statement carries an SQLSTATE; classes 08 and 57P0x mean that it goes away.
  // Anything else is the connection's: EPIPE has five capitals too, and is none.
  if (!(error instanceof pg.DatabaseError)) return true
  return /^(08|57P0[123]|53300)/.test(error.code ?? '')
}

/** A database that is away for a moment is no fault of the call. */
function refuse(error: unknown): never {
  throw isConnectionLoss(error)
    ? fail('unavailable', { cause: error, retryAfterSeconds: 1 })
    : error
}
