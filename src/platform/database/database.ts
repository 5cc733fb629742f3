import pg from 'pg'
import { fail } from '#core/errors.ts'
import { parseMicros } from '#core/money.ts'
import type { Log } from '#core/ports.ts'

/** SQL, or SQL with a name under which each connection keeps its plan. */
export type Statement = string | { readonly name: string; readonly text: string }

export interface Database {
  /** Rows of one statement, on any pooled connection. */
  query<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
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
  // So would one that breaks between two statements of a transaction: the next statement reports it.
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    async query(statement, values = []) {
      const named = typeof statement === 'string' ? { text: statement } : statement
      return (await pool.query({ ...named, values: [...values] }).catch(refuse)).rows
    },
    async transaction(work) {
      const client = await pool.connect().catch(refuse)
      try {
        await client.query('begin')
        const result = await work(client)
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        const lost = await client.query('rollback').then(
          () => client.release(),
          (rollbackError: Error) => {
            client.release(rollbackError)
            return rollbackError
          },
        )
        // Any other error is that of the work itself.
        throw lost || error instanceof pg.DatabaseError ? refuse(error) : error
      }
    },
    async connect() {
      const client = new pg.Client(config)
      // The end of a session may arrive together with its beginning. The query that notices reports it.
      client.on('error', () => {})
      await client.connect()
      return client
    },
    close() {
      // The pool forgets its connections before their sockets are closed, and the server may end them first.
      pool.removeAllListeners('error').on('error', () => {})
      return pool.end()
    },
  }
}

/**
 * SQLSTATEs that say that the server, and not the statement, is in trouble: the same statement can succeed later.
 * What is left out fails again each time, so it is final.
 */
const transientStates = [
  /^08/, // The connection broke.
  /^40(001|P01)$/, // It lost against another transaction.
  /^53/, // No disk space, memory or connections.
  /^55P03$/, // It waited too long for a lock.
  /^57P0/, // The server shuts down, starts or drops the session.
  /^57014$/, // An operator, or a time limit of the server, cancelled it.
  /^58(000|030)$/, // The server's own system failed it, for example while it wrote to the disk.
  /^25006$/, // Read-only: a standby after a failover, or a host that stops writes while the disk is full.
]

/** Whether to send the statement again later, on a new connection. It may have been carried out already. */
export function isTransient(error: unknown): boolean {
  // What PostgreSQL itself reports of a statement carries an SQLSTATE. Anything else is the connection's: EPIPE has five
  // capitals too, and is none.
  if (!(error instanceof pg.DatabaseError)) return true
  const { code = '' } = error
  return transientStates.some((state) => state.test(code))
}

/** A database that is in trouble for a moment is no fault of the call. */
function refuse(error: unknown): never {
  throw isTransient(error) ? fail('unavailable', { cause: error }) : error
}
