import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * A data folder for one gateway. Its PostgreSQL can enter it even if the tests run as root, so all files stay inside.
 */
export async function makeDataDirectory(parent = tmpdir()): Promise<string> {
  const directory = await mkdtemp(path.join(parent, 'tollway-'))
  await chmod(directory, 0o711)
  return directory
}

const retries = 100
const retryDelayMs = 50

/** A PostgreSQL whose gateway was killed still writes its last files while it ends by itself. */
export const removeDataDirectory = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true, maxRetries: retries, retryDelay: retryDelayMs })
