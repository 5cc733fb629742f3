import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#core/ports.ts'
import type { Binaries } from './binaries.ts'
import { type ClusterPlace, lastLines, reach, superuser } from './cluster.ts'
import { tieToParent } from './lifeline.ts'
import { endOrphan } from './orphan.ts'
import { type PidFile, readPidFile } from './pid-file.ts'
import type { ServerLog } from './server-log.ts'
import { shutDown } from './shutdown.ts'
import { connectionString, port, prepareSocketDirectory } from './socket.ts'
import { commandOptions } from './system-user.ts'

export interface ServerOptions {
  readonly place: ClusterPlace
  readonly socketDirectory: string
  readonly binaries: Binaries
  readonly serverLog: ServerLog
  /** Default: 200, more than one gateway opens. */
  readonly connectionsMax?: number | undefined
  readonly log: Log
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly isOutOfRoom: boolean
}

/** One server process, from its start to its end. */
export interface Server {
  readonly pid: number
  /** Resolves when the process has ended for any reason. */
  readonly gone: Promise<Exit>
  stop(): Promise<void>
}

const readyPollMs = 10
/** Recovery after a crash can take this long on a slow disk. */
const readyTimeoutMs = 10 * 60_000
const leftoverPollMs = 100
const leftoverTimeoutMs = 60_000

/**
 * PostgreSQL's messages while part of an earlier server still runs: a session of a killed server ends only after its
 * current statement, and a server that was starting when its gateway was killed may become ready only now.
 */
const leftoverPattern = /shared memory block .* is still in use|lock file .* already exists/

const noRoomPattern = /No space left on device|Disk quota exceeded/
/** PostgreSQL writes its log in files of 16 MiB, and needs a new one from time to time. */
const roomBytesMin = 16 * 1024 * 1024

/** The disk of the cluster is full, and the server needs free space to start. */
export class OutOfRoomError extends Error {}

/** Ends a server that an earlier gateway left, starts a new one and waits until it accepts connections. */
export async function startServer(options: ServerOptions, signal: AbortSignal): Promise<Server> {
  const deadlineMs = performance.now() + leftoverTimeoutMs
  const { socketDirectory, log } = options
  const { directory: cluster, account } = options.place
  for (;;) {
    await endOrphan({ cluster, socketDirectory, log })
    await prepareSocketDirectory(socketDirectory, account)
    const logBytes = await options.serverLog.sizeBytes()
    const previous = await readPidFile(cluster)
    const server = await spawnServer(options)
    if (await becomesReady(server, cluster, previous, signal)) return server
    const reason = lastLines(await options.serverLog.tail(logBytes))
    if (noRoomPattern.test(reason) || (await isOutOfRoom(cluster))) {
      throw new OutOfRoomError(
        `Operator alert: the disk of ${cluster} is full, so PostgreSQL cannot start. Free some space.`,
      )
    }
    if (!leftoverPattern.test(reason) || performance.now() > deadlineMs) {
      throw new Error(
        `The PostgreSQL server of ${cluster} did not start. PostgreSQL says: ${reason}`,
      )
    }
    await delay(leftoverPollMs, undefined, { signal })
  }
}

/** Connects as the superuser to the database that every cluster has. The caller ends the client. */
export async function connectAsSuperuser(socketDirectory: string): Promise<pg.Client> {
  const client = new pg.Client(connectionString(socketDirectory, superuser, 'postgres'))
  // A broken connection fails its queries. Without a listener it would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function spawnServer(options: ServerOptions): Promise<Server> {
  const output = await options.serverLog.open()
  try {
    const program = path.join(options.binaries.directory, 'bin', 'postgres')
    const tied = tieToParent(program, args(options))
    const child = spawn(tied.file, tied.args, {
      ...commandOptions(options.place.account, reach(options.place).cwd),
      // The server has its own session, so Ctrl-C reaches only the gateway, which ends its calls before its database.
      detached: true,
      stdio: ['pipe', output.fd, output.fd],
    })
    await once(child, 'spawn')
    const gone = new Promise<Exit>((resolve) =>
      child.once('exit', (code, signal) => {
        const cluster = options.place.directory
        void isOutOfRoom(cluster).then((isOutOfRoom) => resolve({ code, signal, isOutOfRoom }))
      }),
    )
    gone.then(() => tied.release(child.stdin))
    return {
      pid: child.pid as number,
      gone,
      stop: () =>
        shutDown({
          signal: (name) => child.kill(name),
          isGoneWithin: (timeoutMs) => settlesWithin(gone, timeoutMs),
        }),
    }
  } finally {
    await output.close()
  }
}

/** A full disk may have no room for the message that says so. */
async function isOutOfRoom(cluster: string): Promise<boolean> {
  const disk = await statfs(cluster).catch(() => undefined)
  return disk !== undefined && disk.bavail * disk.bsize < roomBytesMin
}

function args({ place, socketDirectory, connectionsMax = 200 }: ServerOptions): string[] {
  const { cluster } = reach(place)
  const sockets = socketDirectory.replace(place.directory, () => cluster)
  const settings = {
    cluster_name: 'tollway',
    listen_addresses: '',
    port,
    unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: connectionsMax,
    shared_buffers: '128MB',
    // These three are the defaults. They are stated here because money depends on them.
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

/** False if the server ends first. */
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
        throw new Error(`The PostgreSQL server of ${cluster} is running but does not become ready.`)
      }
      await delay(readyPollMs, undefined, { signal })
    }
    return false
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      promise.then(() => true),
      delay(timeoutMs, false, { signal: timer.signal }),
    ])
  } finally {
    timer.abort()
  }
}
