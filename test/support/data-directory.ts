import { chmod, mkdtemp } from 'node:fs/promises'
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
