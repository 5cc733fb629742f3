import { mkdir, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Log } from '#core/ports.ts'
import { systemClock } from '../clock.ts'
import { errorMessageOf } from '../thrown.ts'
import { locateBinaries, prepareBinaries } from './binaries.ts'
import { findPlace, openCluster } from './cluster.ts'
import { tryLock } from './lock.ts'
import { connectAsSuperuser, startServer } from './server.ts'
import { createServerLog } from './server-log.ts'
import { chooseSocketDirectory, connectionString } from './socket.ts'
import { supervise } from './supervisor.ts'
import { isRoot } from './system-user.ts'
import { clustersDirectory, noteOrigin, removeUnusedClusters } from './unused-clusters.ts'

export interface EmbeddedPostgres {
  /** Connects to the database `tollway` over a private Unix socket. It stays the same when the server is restarted. */
  readonly connectionString: string
  /** The real path of the database files. */
  readonly directory: string
  /** Ends the server once everything is on disk. May be called again. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  readonly log: Log
  /** Called when the server keeps failing and is not restarted any more. */
  readonly onCrash?: ((error: Error) => void) | undefined
  /** A gateway that runs as root keeps files here that PostgreSQL could not reach in the data folder. */
  readonly systemDirectory?: string | undefined
  /** For several gateways with a database each. Default: enough for one. */
  readonly connectionsMax?: number | undefined
}

const defaultSystemDirectory = '/var/lib/tollway'

/**
 * The role and the database of the gateway. The role is not a superuser, because superusers can run programs through
 * SQL.
 */
const name = 'tollway'

/** Runs a PostgreSQL server on the data folder until `stop` or the end of this process. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const {
    log,
    onCrash = () => undefined,
    systemDirectory = defaultSystemDirectory,
    connectionsMax,
  } = options
  const startedMs = performance.now()
  const dataDir = await makeDataDirectory(options.dataDir)
  const place = await findPlace(dataDir, systemDirectory)
  const { directory, account } = place
  const closers: (() => Promise<void> | void)[] = [lockPlace(directory)]
  let closing: Promise<void> | undefined
  const stop = () => {
    closing ??= closeAll(closers)
    return closing
  }

  try {
    const packaged = await locateBinaries()
    const copiesDirectory = isRoot() ? systemDirectory : dataDir
    const binaries = await prepareBinaries({ packaged, account, copiesDirectory })
    await openCluster({ place, dataDir, binaries })

    const socketDirectory = await chooseSocketDirectory(directory, account)
    const serverLog = createServerLog(directory, account)
    closers.unshift(await serverLog.keepShort(log))

    const server = { place, socketDirectory, binaries, serverLog, connectionsMax, log }
    const start = (signal: AbortSignal) => startServer(server, signal)
    const supervisor = await supervise({ start, onCrash, log, clock: systemClock })
    closers.unshift(supervisor.stop, () => rm(socketDirectory, { recursive: true, force: true }))
    await createOwnDatabase(socketDirectory)

    const durationMs = Math.round(performance.now() - startedMs)
    if (path.dirname(directory) !== dataDir) {
      log.warn({ directory, dataDir }, 'The database files are outside the data folder.')
      const clusters = await realpath(clustersDirectory(systemDirectory)).catch(() => undefined)
      if (path.dirname(directory) === clusters) await noteOrigin(directory, dataDir)
    }
    if (isRoot()) {
      const sweep = removeUnusedClusters(systemDirectory, log).catch((error) =>
        log.warn(
          { err: error },
          'The search for unused databases failed. The next start repeats it.',
        ),
      )
      closers.unshift(() => sweep)
    }
    log.info({ directory, durationMs }, 'PostgreSQL is ready.')
    return { connectionString: connectionString(socketDirectory, name, name), directory, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeDataDirectory(dataDir: string): Promise<string> {
  try {
    // A root gateway runs PostgreSQL as another user, which must be able to enter.
    await mkdir(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
    return await realpath(dataDir)
  } catch (cause) {
    throw new Error(
      `The data folder ${dataDir} cannot be used: ${errorMessageOf(cause)}. Give the gateway's user access to it, or choose another folder.`,
      { cause },
    )
  }
}

function lockPlace(directory: string): () => void {
  const file = `${directory}.lock`
  let unlock: (() => void) | undefined
  try {
    unlock = tryLock(file)
  } catch (cause) {
    throw new Error(
      `The lock ${file} cannot be taken: ${errorMessageOf(cause)}. Make sure that the gateway's user can write to it.`,
      { cause },
    )
  }
  if (unlock) return unlock
  throw new Error(
    `Another gateway is running on the database in ${directory}. Stop it, or give this gateway its own data folder.`,
  )
}

async function createOwnDatabase(socketDirectory: string): Promise<void> {
  const client: pg.Client = await connectAsSuperuser(socketDirectory)
  const exists = async (catalog: string, column: string) => {
    const { rowCount } = await client.query(`select from ${catalog} where ${column} = $1`, [name])
    return rowCount === 1
  }
  try {
    if (!(await exists('pg_roles', 'rolname'))) {
      await client.query(`create role ${name} login createdb`)
    }
    if (!(await exists('pg_database', 'datname'))) {
      await client.query(`create database ${name} owner ${name}`)
    }
  } finally {
    await client.end()
  }
}

async function closeAll(closers: readonly (() => Promise<void> | void)[]): Promise<void> {
  for (const close of closers) await close()
}
