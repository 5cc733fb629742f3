import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { type AtEnd, createTestDatabase } from '#test/database.ts'
import { adminToken } from '#test/harness.ts'
import { payments } from './paid-gateway.ts'

/** Where `scripts/start.js` keeps compiled code too. It saves half of the processor time of a start. */
const compiledFolder = path.join(import.meta.dirname, '../../.cache/compiled')

export interface KillableGateway {
  readonly url: string
  readonly pid: number
  /** The requests to its provider. */
  readonly asked: readonly unknown[]
  /** The number of waiting calls of `test/slow`. */
  waiting(): number
  /** Lets the calls of `test/slow` end, later ones too. */
  release(): void
  /** Calls of `test/slow` wait again, and are counted from none on. */
  hold(): Promise<void>
  /** Its log so far. */
  log(): string
  /** Sends SIGKILL and waits for the end of the process. */
  kill(): Promise<void>
}

export async function startKillableGateway(
  env: Readonly<Record<string, string>>,
): Promise<KillableGateway> {
  const child: ChildProcess = fork(path.join(inject('bundledGateway'), 'levers.js'), {
    // Not those of the test worker, which load the development builds of packages.
    execArgv: [],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/',
      NODE_COMPILE_CACHE: compiledFolder,
      PORT: '0',
      ADMIN_TOKEN: adminToken,
      RATE_LIMIT_PER_MINUTE: '10000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  const read = (chunk: Buffer) => {
    printed += chunk.toString()
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  const ended = once(child, 'exit')
  const asked: unknown[] = []
  let waiting = 0
  const listening = Promise.withResolvers<string>()
  child.on('message', (message: { url?: string; asked?: unknown; waiting?: number }) => {
    if (message.url !== undefined) listening.resolve(message.url)
    waiting = message.waiting ?? waiting
    if ('asked' in message) asked.push(message.asked)
  })
  ended.then(() => listening.reject(new Error(`The gateway ended. It printed:\n${printed}`)))
  return {
    url: await listening.promise,
    pid: child.pid ?? 0,
    asked,
    waiting: () => waiting,
    release: () => void child.send('release'),
    async hold() {
      const held = new Promise<void>((resolve) => {
        const read = (message: { waiting?: number }) => {
          if (message.waiting !== 0) return
          child.off('message', read)
          resolve()
        }
        child.on('message', read)
      })
      child.send('hold')
      await held
    },
    log: () => printed,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/**
 * One gateway after the other on the same data, for all tests of a block. The settings may name another way to the
 * database.
 */
export function shareKillableGateways(
  settings: (databaseUrl: string, atEnd: AtEnd) => Promise<Readonly<Record<string, string>>>,
) {
  let databaseUrl = ''
  let env: Readonly<Record<string, string>> = {}
  let living: KillableGateway | undefined
  const endings: (() => Promise<void>)[] = []
  const kill = async () => {
    await living?.kill()
    living = undefined
  }
  if (payments.ok) {
    beforeAll(async () => {
      const DATA_DIR = await makeDataDirectory()
      endings.unshift(() => removeDataDirectory(DATA_DIR))
      const atEnd: AtEnd = (work) => endings.unshift(work)
      databaseUrl = await createTestDatabase(atEnd)
      env = { DATABASE_URL: databaseUrl, ...(await settings(databaseUrl, atEnd)), DATA_DIR }
    })
    afterAll(async () => {
      await kill()
      for (const end of endings) await end()
    })
  }
  return {
    databaseUrl: () => databaseUrl,
    /** The one that lives, or the next one. */
    async living(): Promise<KillableGateway> {
      living ??= await startKillableGateway(env)
      return living
    },
    kill,
  }
}
