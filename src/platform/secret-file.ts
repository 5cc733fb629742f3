import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

const secretBytes = 32
const ownerOnly = 0o600

/** Reads a secret from a file that only its owner may read. Creates the file if it is missing. */
export async function readOrCreateSecret(file: string): Promise<string> {
  const stored = await readSecret(file)
  if (stored !== undefined) return stored
  await mkdir(path.dirname(file), { recursive: true })
  // Linked into place when complete, so that a kill leaves no partial secret and two starts agree on one.
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(secretBytes).toString('base64url')}\n`, {
    mode: ownerOnly,
    flush: true,
  })
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  const secret = await readSecret(file)
  if (secret === undefined) throw new Error(`${file} could not be read back.`)
  return secret
}

/** Undefined if the file is missing or empty. */
export async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
