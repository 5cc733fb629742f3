import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCodeOf } from './thrown.ts'

const secretBytes = 32
const ownerOnly = 0o600

/** Reads a secret from a file that only its owner may read. A file that is missing is created with `first`. */
export async function readOrCreateSecret(
  file: string,
  first = randomBytes(secretBytes).toString('base64url'),
): Promise<string> {
  const stored = await readSecret(file)
  if (stored !== undefined) return stored
  const draft = await writeDraft(file, first)
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  const secret = await readSecret(file)
  if (secret === undefined) throw new Error(`${file} could not be read back.`)
  return secret
}

/** Puts a secret that is known elsewhere into its file. Resolves to the secret. */
export async function writeSecret(file: string, secret: string): Promise<string> {
  if ((await readSecret(file)) !== secret) await rename(await writeDraft(file, secret), file)
  return secret
}

/** Linked or renamed into place when complete, so that a kill leaves no partial secret and two starts agree on one. */
async function writeDraft(file: string, secret: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${secret}\n`, { mode: ownerOnly, flush: true })
  return draft
}

/** Undefined if the file is missing or empty. */
export async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
