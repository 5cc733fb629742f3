import pg from 'pg'
import { fail } from '#core/errors.ts'
import { parseMicros } from '#core/money.ts'
import type { Log } from '#core/ports.ts'
import { createJointReads, type NamedRead } from './joint-reads.ts'
import { isReadOnly, openServers } from './servers.ts'

/** SQL, or SQL with a name under which each connection keeps its plan. */
export type SqlStatement = string | { readonly name: string; readonly text: string }

export interface Database {
  /** Rows of one statement, on any pooled connection. */
  query<Row extends object>(statement: SqlStatement, values?: readonly unknown[]): Promise<Row[]>
  /** As `query`, for small tables that are read often: see `joint-reads.ts`. */
  queryTogether<Row extends object>(read: NamedRead): Promise<Row[]>
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
  transaction<Result>(work: (client: pg.ClientBase) => Promise<Result>): Promise<Result>
  /** A connection outside the pool, for a session of its own. The caller ends it. */
  connect(): Promise<pg.Client>
  /** The pooled connections, and the statements that wait for one. */
  pressure(): { open: number; idle: number; most: number; waiting: number }
  /** For a library that brings statements of its own: their results and errors as the driver gives them. */
  executeSql(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>
  /** Lets a pool that was opened with `connectionsAtFirst` open all its connections. */
  grow(): void
  close(): Promise<void>
}

const connectionsMax = 10
/**
 * How long a statement waits for one of the pooled connections, when all of them wait for a lock, as in an upgrade. An
 * unreachable server is noticed sooner: see `connectTimeoutMs` of its servers.
 */
const pooledWaitMs = 15_000

const bigintOid = 20
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === bigintOid
      ? parseMicros
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export function openDatabase(dependencies: {
  connectionString: string
  /** For sessions of their own, where the other address leads to a pooler that gives none. */
  directConnectionString?: string | undefined
  /** The most connections until `grow` is called. */
  connectionsAtFirst?: number
  log: Log
}): Database {
  const { connectionString, directConnectionString } = dependencies
  const config = {
    application_name: 'tollway',
    types,
  }
  const servers = openServers(connectionString)
  const direct =
    directConnectionString === undefined ? servers : openServers(directConnectionString)
  // A pooler gives each transaction another session, which does not know the plans of the one before.
  const keepsPlans = directConnectionString === undefined
  const pool = new pg.Pool({
    ...config,
    ...servers.poolOptions,
    max: dependencies.connectionsAtFirst ?? connectionsMax,
    connectionTimeoutMillis: pooledWaitMs,
  })
  // The pool replaces an idle connection that breaks. Without a listener, the error would end the process.
  pool.on('error', (error) =>
    dependencies.log.warn({ err: error }, 'An idle database connection broke.'),
  )

  const query: Database['query'] = async (statement, values = []) => {
    const { text, ...named } = typeof statement === 'string' ? { text: statement } : statement
    const asked = pool.query({ text, ...(keepsPlans && named), values: [...values] })
    return (await asked.catch(refuse)).rows
  }

  return {
    query,
    queryTogether: createJointReads(query),
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
          // The server has become a standby. Another one takes writes.
          () => client.release(isReadOnly(error)),
          (rollbackError: Error) => {
            client.release(rollbackError)
            return rollbackError
          },
        )
        // Any other error comes from `work`.
        throw lost || error instanceof pg.DatabaseError ? refuse(error) : error
      }
    },
    connect: () => direct.connect(config),
    executeSql: (text, values) =>
      pool.query({ text, types: pg.types, ...(values && { values: [...values] }) }),
    grow() {
      pool.options.max = connectionsMax
    },
    pressure: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      most: pool.options.max,
      waiting: pool.waitingCount,
    }),
    close() {
      // The pool forgets its connections before their sockets are closed, and the server may end them first.
      pool.removeAllListeners('error').on('error', () => {})
      return pool.end()
    },
  }
}

/**
 * SQLSTATEs of a server in trouble: the same statement can succeed later. Any other state is the statement's own fault
 * and repeats each time.
 */
const transientStates = [
  /^08/, // The connection broke.
  /^40(001|P01)$/, // It conflicted with another transaction.
  /^53/, // No disk space, memory or connections.
  /^55P03$/, // It waited too long for a lock.
  /^57P0/, // The server shuts down, starts or drops the session.
  /^57014$/, // An operator, or a time limit of the server, cancelled it.
  /^58(000|030)$/, // The server's own system failed it, for example while it wrote to the disk.
  /^25006$/, // Read-only: a standby after a failover, or a host that stops writes while the disk is full.
]

/**
 * A newer version replaced the functions while the statement was in one of them. PostgreSQL has no SQLSTATE of its own
 * for it, and does not translate these messages.
 */
const functionsReplaced = ({ code, message }: pg.DatabaseError) =>
  code === 'XX000' && /^cache lookup failed for (function|type) \d+$/.test(message)

/** Whether to send the statement again later, on a new connection. It may have been carried out already. */
export function isTransient(error: unknown): boolean {
  // PostgreSQL reports errors of a statement with an SQLSTATE. All others are the connection's: `EPIPE` looks like an
  // SQLSTATE but is not one.
  if (!(error instanceof pg.DatabaseError)) return true
  const { code = '' } = error
  return transientStates.some((state) => state.test(code)) || functionsReplaced(error)
}

/** A call is not to blame for a database in passing trouble. */
function refuse(error: unknown): never {
  throw isTransient(error) ? fail('unavailable', { cause: error }) : error
}
