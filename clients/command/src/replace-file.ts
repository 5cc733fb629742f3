// Writes a file as a whole, so that a reader never sees half of it.
import { randomUUID } from 'node:crypto'
import { chmod, realpath, rename, rm, writeFile } from 'node:fs/promises'

/** Where the file is a link, what it leads to is replaced, and the link stays. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const next = `${target}.${randomUUID()}`
  try {
    // A file of that name that another user has put there is never written to.
    await writeFile(next, text, { mode: 0o600, flag: 'wx' })
    await chmod(next, mode)
    await rename(next, target)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
}
