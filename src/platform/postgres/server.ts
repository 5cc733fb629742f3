import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#core/ports.ts'
import { type Account, commandOptions } from './account.ts'
import type { Binaries } from './binaries.ts'
import { lastLines, superuser } from './cluster.ts'
import { endOrphan } from './orphan.ts'
import { type PidFile, readPidFile } from './pid-file.ts'
import type { ServerLog } from './server-log.ts'
import { shutDown } from './shutdown.ts'
import { connectionString, port, prepareSocketDirectory } from './socket.ts'

export interface ServerOptions {
  readonly cluster: string
  readonly socketDirectory: string
  readonly account: Account | undefined
  readonly binaries: Binaries
  readonly serverLog: ServerLog
  readonly log: Log
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** One server process, from its start to its end. */
export interface Server {
  readonly pid: number
  /** Resolves when the process is gone, whoever ended it. */
  readonly gone: Promise<Exit>
  stop(): Promise<void>
}

const readyPollMs = 10
/** Restoring what was committed before a crash can take this long on a slow disk. */
const readyTimeoutMs = 10 * 60_000
const leftoverPollMs = 100
const leftoverTimeoutMs = 60_000

/**
 * What PostgreSQL says while something of an earlier server still runs: a session whose server was killed ends with its
 * current statement, and a server that was just started when its gateway was killed may come up only now.
 */
const leftoverPattern = /shared memory block .* is still in use|lock file .* already exists/

const noRoomPattern = /No space left on device|Disk quota exceeded/

/** The disk of the cluster is full, and the server needs room to start. */
export class OutOfRoomError extends Error {}

/** Starts the server and waits until it takes connections, ending first whatever an earlier gateway left. */
export async function startServer(options: ServerOptions, signal: AbortSignal): Promise<Server> {
  const deadlineMs = performance.now() + leftoverTimeoutMs
  for (;;) {
    await endOrphan(options)
    await prepareSocketDirectory(options.socketDirectory, options.account)
    const logBytes = await options.serverLog.sizeBytes()
    const previous = await readPidFile(options.cluster)
    const server = await spawnServer(options)
    if (await becomesReady(server, options.cluster, previous, signal)) return server
    const reason = lastLines(await options.serverLog.tail(logBytes))
    if (noRoomPattern.test(reason)) {
      throw new OutOfRoomError(
        `Operator alert: the disk of ${options.cluster} is full, so PostgreSQL cannot start. Make room there.`,
      )
    }
    if (!leftoverPattern.test(reason) || performance.now() > deadlineMs) {
      throw new Error(
        `The PostgreSQL server of ${options.cluster} did not start. It says: ${reason}`,
      )
    }
    await delay(leftoverPollMs, undefined, { signal })
  }
}

/** Connects as the superuser, to the database that every cluster has. The caller ends the client. */
export async function connectAsSuperuser(socketDirectory: string): Promise<pg.Client> {
  const client = new pg.Client(connectionString(socketDirectory, superuser, 'postgres'))
  // A connection that breaks fails its queries; without a listener it would end the process as well.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function spawnServer(options: ServerOptions): Promise<Server> {
  const output = await options.serverLog.open()
  try {
    const child = spawn(path.join(options.binaries.directory, 'bin', 'postgres'), args(options), {
      ...commandOptions(options.account),
      // In a session of its own, so that a Ctrl-C reaches the gateway alone, which ends its calls before its database.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    await once(child, 'spawn')
    const gone = new Promise<Exit>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal })),
    )
    // A gateway that ends without `stop` takes its server with it, unless it is killed.
    const interrupt = () => child.kill('SIGINT')
    process.once('exit', interrupt)
    gone.then(() => process.off('exit', interrupt))
    return {
      pid: child.pid as number,
      gone,
      stop: () =>
        shutDown({
          signal: (name) => child.kill(name),
          isGoneWithin: (patienceMs) => settlesWithin(gone, patienceMs),
        }),
    }
  } finally {
    await output.close()
  }
}

function args({ cluster, socketDirectory }: ServerOptions): string[] {
  const settings = {
    cluster_name: 'tollway',
    listen_addresses: '',
    port,
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: 200,
    shared_buffers: '128MB',
    // These three are the defaults. They are said here because money depends on them.
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    log_checkpoints: 'off',
  }
  return [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
}

/** False when the server ends first. */
async function becomesReady(
  server: Server,
  cluster: string,
  previous: PidFile | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  let isGone = false
  server.gone.then(() => {
    isGone = true
  })
  const deadlineMs = performance.now() + readyTimeoutMs
  try {
    while (!isGone) {
      const found = await readPidFile(cluster)
      if (found?.isReady && found.pid === server.pid && found.text !== previous?.text) return true
      if (performance.now() > deadlineMs) {
        throw new Error(`The PostgreSQL server of ${cluster} runs, but does not become ready.`)
      }
      await delay(readyPollMs, undefined, { signal })
    }
    return false
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function settlesWithin(promise: Promise<unknown>, patienceMs: number): Promise<boolean> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      promise.then(() => true),
      delay(patienceMs, false, { signal: timer.signal }),
    ])
  } finally {
    timer.abort()
  }
}
