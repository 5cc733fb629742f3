// The gateways that `tollway login` has stored, in a file that only its owner may read.
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserAccess } from './browser-access.ts'
import { parseJson } from './parse-json.ts'
import { replaceFile } from './replace-file.ts'
import { errorOf, UsageError } from './usage-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** An API key, or what a person has given in a browser. */
export type Credential = string | BrowserAccess

interface Stored {
  /** The gateway of the last login. */
  readonly current?: string
  /** By the address of their gateway. */
  readonly keys: Readonly<Record<string, Credential>>
  /** The addresses of gateways by the names that the person gave them. */
  readonly gateways?: Readonly<Record<string, string>>
}

export interface Credentials {
  readonly file: string
  /** The gateway of the last login. */
  readonly current: string | undefined
  /** The addresses of gateways by the names that the person gave them. */
  readonly gateways: Readonly<Record<string, string>>
  of(baseUrl: string): Credential | undefined
  /** Makes it the gateway of later commands. */
  use(baseUrl: string): Promise<void>
  /** Gives a gateway a name. Without an address the name is removed. */
  nameGateway(name: string, baseUrl: string | undefined): Promise<void>
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

/**
 * Throws UsageError with the name of the file if it is damaged. `isNeeded`: false where the environment says all, so
 * that what is stored counts for nothing, damaged or not.
 */
export async function readCredentials(
  environment: Environment,
  { isNeeded }: { readonly isNeeded: boolean },
): Promise<Credentials> {
  const file = fileOf(environment)
  const stored = isNeeded ? await read(file) : { keys: {} }

  /** The file is read again, because another process may have changed it. */
  async function change(edit: (stored: Stored) => Promise<Stored> | Stored): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await whileLocked(`${file}.lock`, async () => {
      const changed = await edit(await read(file))
      await replaceFile(file, `${JSON.stringify(changed, null, 2)}\n`, ownerOnly)
    })
  }

  return {
    file,
    current: stored.current,
    gateways: stored.gateways ?? {},
    use: (baseUrl) => change((now) => ({ ...now, current: baseUrl })),
    nameGateway: (name, baseUrl) =>
      change(({ gateways: { [name]: _, ...others } = {}, ...now }) => ({
        ...now,
        gateways: baseUrl === undefined ? others : { ...others, [name]: baseUrl },
      })),
    of: (baseUrl) => stored.keys[baseUrl],
    save: (baseUrl, credential) =>
      change(({ keys, ...now }) => ({
        ...now,
        current: baseUrl,
        keys: { ...keys, [baseUrl]: credential },
      })),
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
      await change(({ current, keys: { [baseUrl]: found, ...keys }, ...now }) => {
        forgotten = found
        const kept = current === undefined || current === baseUrl ? {} : { current }
        return { ...now, ...kept, keys }
      })
      return forgotten
    },
  }
}

async function read(file: string): Promise<Stored> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = errorOf(error)
    if (code === 'ENOENT') return { keys: {} }
    throw new UsageError(
      `${file}, in which the command keeps its keys, cannot be read (${code ?? message}). Make it a file that you may read, or set both TOLLWAY_URL and TOLLWAY_KEY, which go without it.`,
    )
  }
  const stored = parseJson(text)
  if (isStored(stored)) return { ...stored, keys: stored.keys ?? {} }
  throw new UsageError(
    `${file}, in which the command keeps its keys, is damaged. Move it away, and store your key again: \`tollway login\`. Or set both TOLLWAY_URL and TOLLWAY_KEY, which go without it.`,
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown) => typeof value === 'string'

const isCredential = (value: unknown) =>
  isText(value) || (isObject(value) && isText(value.accessToken))

function isStored(value: unknown): value is Partial<Stored> {
  if (!isObject(value)) return false
  const { current = '', keys = {}, gateways = {} } = value
  return (
    isText(current) &&
    isObject(keys) &&
    Object.values(keys).every(isCredential) &&
    isObject(gateways) &&
    Object.values(gateways).every(isText)
  )
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
    if (errorOf(error).code === 'EEXIST') return false
    throw error
  }
}
