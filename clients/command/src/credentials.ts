// The gateways that `tollway login` has stored, in a file that only its owner may read.
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserAccess } from './browser-access.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** An API key, or what a person has given in a browser. */
export type Credential = string | BrowserAccess

interface Stored {
  /** The gateway of the last login. */
  readonly current?: string
  /** By the address of their gateway. */
  readonly keys: Readonly<Record<string, Credential>>
}

export interface Credentials {
  readonly file: string
  /** The gateway of the last login. */
  readonly current: string | undefined
  of(baseUrl: string): Credential | undefined
  save(baseUrl: string, credential: Credential): Promise<void>
  /**
   * Replaces what is stored by what `renew` makes of it. One process at a time does this, and each is handed what the
   * one before it has stored.
   */
  renew(
    baseUrl: string,
    renew: (stored: Credential) => Promise<Credential>,
  ): Promise<Credential | undefined>
  /** Resolves to what was stored. */
  forget(baseUrl: string): Promise<Credential | undefined>
}

const ownerOnly = 0o600
const lockPollMs = 50
/** A process that held the lock for so long was killed. */
const lockStaleMs = 90_000

/** Where configuration belongs by the XDG Base Directory Specification. */
function fileOf(environment: Environment): string {
  const home = environment.HOME || os.homedir()
  const base = environment.XDG_CONFIG_HOME || path.join(home, '.config')
  return path.join(base, 'tollway', 'credentials.json')
}

/** Throws an Error with the name of the file if it is damaged. */
export async function readCredentials(environment: Environment): Promise<Credentials> {
  const file = fileOf(environment)
  const stored = await read(file)

  /** The file is read again, because another process may have changed it. */
  async function change(edit: (stored: Stored) => Promise<Stored> | Stored): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await whileLocked(`${file}.lock`, async () => {
      const changed = await edit(await read(file))
      // A new file is renamed over the old one, so that a reader never sees half of it.
      const next = `${file}.${process.pid}`
      await writeFile(next, `${JSON.stringify(changed, null, 2)}\n`, { mode: ownerOnly })
      await rename(next, file)
    })
  }

  return {
    file,
    current: stored.current,
    of: (baseUrl) => stored.keys[baseUrl],
    save: (baseUrl, credential) =>
      change(({ keys }) => ({ current: baseUrl, keys: { ...keys, [baseUrl]: credential } })),
    async renew(baseUrl, renew) {
      let renewed: Credential | undefined
      await change(async (now) => {
        const credential = now.keys[baseUrl]
        if (credential === undefined) return now
        renewed = await renew(credential)
        return { ...now, keys: { ...now.keys, [baseUrl]: renewed } }
      })
      return renewed
    },
    async forget(baseUrl) {
      if (stored.keys[baseUrl] === undefined) return undefined
      let forgotten: Credential | undefined
      await change(({ current, keys: { [baseUrl]: found, ...keys } }) => {
        forgotten = found
        return { ...(current === undefined || current === baseUrl ? {} : { current }), keys }
      })
      return forgotten
    },
  }
}

async function read(file: string): Promise<Stored> {
  try {
    const { current, keys = {} } = JSON.parse(await readFile(file, 'utf8')) as Partial<Stored>
    return { ...(current === undefined ? {} : { current }), keys }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { keys: {} }
    throw new Error(
      `${file} cannot be read: ${(error as Error).message}. Remove it and run \`tollway login\` again.`,
    )
  }
}

/** A file that exists while one process works. */
async function whileLocked(lock: string, work: () => Promise<void>): Promise<void> {
  while (!(await take(lock))) {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > lockStaleMs) await rm(lock, { force: true })
    else await sleep(lockPollMs)
  }
  try {
    await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', ownerOnly)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
