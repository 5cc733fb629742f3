import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder for one gateway that its PostgreSQL may pass through when root runs both, so that all of it stays inside. */
export async function makeDataDirectory(parent = tmpdir()): Promise<string> {
  const directory = await mkdtemp(path.join(parent, 'tollway-'))
  await chmod(directory, 0o711)
  return directory
}
