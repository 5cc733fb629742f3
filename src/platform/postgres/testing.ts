// Shared by the tests of this folder: folders to run servers in, and gateways to kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { Log } from '#core/ports.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { commandOptions, type SystemUser } from './system-user.ts'

/** A gateway in its own process. */
export interface TestGateway {
  readonly process: ChildProcess
  /** Resolves to its output once it is ready, or to undefined if it ends first. */
  readonly ready: Promise<Pick<EmbeddedPostgres, 'connectionString' | 'directory'> | undefined>
  /** Resolves to its standard error once it has ended. */
  readonly ended: Promise<string>
}

export interface Playground {
  /** Open to every user; a temporary folder that root creates is not. */
  readonly root: string
  start(dataDir: string, log?: Log): Promise<EmbeddedPostgres>
  spawnGateway(dataDir: string, account?: SystemUser): TestGateway
  /** Ends everything that was started here and removes the folder. */
  clear(): Promise<void>
}

export async function createPlayground(): Promise<Playground> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'tollway-postgres-')))
  await chmod(root, 0o755)
  const systemDirectory = path.join(root, 'system')
  const closers: (() => Promise<unknown>)[] = []
  return {
    root,
    async start(dataDir, log = recordLog().log) {
      const server = await startEmbeddedPostgres({ dataDir, log, systemDirectory })
      closers.push(server.stop)
      return server
    },
    spawnGateway(dataDir, account) {
      const script = path.join(import.meta.dirname, 'start-and-print.ts')
      const child = spawn(process.execPath, [script, dataDir, systemDirectory], {
        ...commandOptions(account),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = once(child, 'close')
      closers.push(async () => {
        child.kill('SIGTERM')
        await ended
      })
      const complaints: string[] = []
      createInterface(child.stderr).on('line', (line) => complaints.push(line))
      const lines = createInterface(child.stdout)
      return {
        process: child,
        ready: Promise.race([
          once(lines, 'line').then(([line]) => JSON.parse(line)),
          ended.then(() => undefined),
        ]),
        ended: ended.then(() => complaints.join('\n')),
      }
    },
    async clear() {
      for (const close of closers) await close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A log that keeps its messages and can be awaited. */
export function recordLog() {
  const messages: string[] = []
  const waiting = new Map<string, () => void>()
  const record = (_fields: object, message: string) => {
    messages.push(message)
    waiting.get(message)?.()
  }
  const log: Log = { debug: record, info: record, warn: record, error: record }
  const next = (message: string) =>
    new Promise<void>((resolve) => {
      waiting.set(message, resolve)
    })
  return { log, messages, next }
}

/** The rows of one statement, over its own connection. */
export async function query(
  server: Pick<EmbeddedPostgres, 'connectionString'>,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.connectionString)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

export async function serverPid(server: Pick<EmbeddedPostgres, 'directory'>): Promise<number> {
  return Number.parseInt(await readFile(path.join(server.directory, 'postmaster.pid'), 'utf8'), 10)
}
