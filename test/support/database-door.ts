// A proxy in front of the database that breaks as networks do: before a statement arrives, or before its reply does.
import { createServer, connect as openSocket, type Socket } from 'node:net'
import path from 'node:path'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import type { AtEnd } from './database.ts'

type Fault = 'none' | 'request' | 'reply'

/** Statements by what stands in them. */
export interface KeptStatements {
  /** They do not reach the database. */
  readonly requests?: RegExp
  /** They are executed, and their replies do not come back. */
  readonly replies?: RegExp
}

export interface DatabaseDoor {
  readonly connectionString: string
  /** The connection breaks before the next statement reaches the database. The door then stays closed. */
  loseRequest(): void
  /**
   * The connection breaks before the next reply; the database has executed the statement. The door then stays closed.
   */
  loseReply(): void
  /** Resolves when the fault has happened. */
  broken(): Promise<void>
  /** From now on, a connection that sends such a statement goes on without what is kept of it, in silence. */
  keep(statements: KeptStatements): void
  /** The connections of which something is kept. */
  kept(): number
  /** Lets connections through again. */
  open(): void
}

export async function openDatabaseDoor(
  connectionString: string,
  atEnd: AtEnd = onTestFinished,
): Promise<DatabaseDoor> {
  const { host, port, user = '', password, database = '' } = new Client(connectionString)
  const address = host.startsWith('/')
    ? { path: path.join(host, `.s.PGSQL.${port}`) }
    : { host, port }
  let fault: Fault = 'none'
  let shut = false
  let happened = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  let statements: KeptStatements = {}
  /** Sockets whose bytes are kept. */
  const silent = new Set<Socket>()

  function keepStatement(
    bytes: Buffer,
    { client, upstream }: Record<'client' | 'upstream', Socket>,
  ) {
    const text = bytes.toString('latin1')
    if (statements.requests?.test(text)) silent.add(client)
    if (statements.replies?.test(text)) silent.add(upstream)
  }

  function breakAll() {
    fault = 'none'
    shut = true
    for (const socket of sockets) socket.destroy()
    happened.resolve()
  }

  function arm(next: Fault) {
    fault = next
    happened = Promise.withResolvers<void>()
  }

  const server = createServer((client) => {
    if (shut) return void client.destroy()
    const upstream = openSocket(address)
    for (const [socket, other, breaksAt] of [
      [client, upstream, 'request'],
      [upstream, client, 'reply'],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        silent.delete(socket)
        other.destroy()
      })
      socket.on('data', (bytes) => {
        if (fault === breaksAt) return breakAll()
        if (socket === client) keepStatement(bytes, { client, upstream })
        if (!silent.has(socket)) other.write(bytes)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('The door has no port.')
  const through = new URL(`postgresql://127.0.0.1:${listening.port}/${database}`)
  through.username = user
  through.password = typeof password === 'string' ? password : ''
  return {
    connectionString: through.toString(),
    loseRequest: () => arm('request'),
    loseReply: () => arm('reply'),
    broken: () => happened.promise,
    keep(kept) {
      statements = kept
    },
    kept: () => silent.size,
    open() {
      shut = false
      statements = {}
    },
  }
}
