// The gateways that `tollway login` has stored, in a file that only its owner may read.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

interface Stored {
  /** The gateway of the last login. */
  readonly current?: string
  /** Keys by the address of their gateway. */
  readonly keys: Readonly<Record<string, string>>
}

export interface Credentials {
  readonly file: string
  /** The gateway of the last login. */
  readonly current: string | undefined
  keyOf(baseUrl: string): string | undefined
  save(baseUrl: string, key: string): Promise<void>
  /** False if there was nothing to forget. */
  forget(baseUrl: string): Promise<boolean>
}

const ownerOnly = 0o600

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

  async function write(changed: Stored): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    // A new file is renamed over the old one, so that a reader never sees half of it.
    const next = `${file}.${process.pid}`
    await writeFile(next, `${JSON.stringify(changed, null, 2)}\n`, { mode: ownerOnly })
    await rename(next, file)
  }

  return {
    file,
    current: stored.current,
    keyOf: (baseUrl) => stored.keys[baseUrl],
    save: (baseUrl, key) => write({ current: baseUrl, keys: { ...stored.keys, [baseUrl]: key } }),
    async forget(baseUrl) {
      const { [baseUrl]: forgotten, ...keys } = stored.keys
      const { current } = stored
      if (forgotten === undefined) return false
      await write({ ...(current === undefined || current === baseUrl ? {} : { current }), keys })
      return true
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
