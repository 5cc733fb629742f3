// Each browser has a folder for its profile and its other files. The folder's name holds the id of the gateway process, so
// that a later gateway can remove the folders of one that was killed.
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'

export interface BrowserFolder {
  readonly path: string
  /** Belongs to the user that Chromium runs as. */
  readonly profile: string
  remove(): Promise<void>
}

/** Containers may share a temporary folder, but not their process ids. */
const machine = hostname().replaceAll(/[^\w]/g, '_')
const prefix = `tollway-chromium-${machine}-`

export async function createBrowserFolder(parent = tmpdir()): Promise<BrowserFolder> {
  const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`))
  // Other users may pass through to their profile but not list the folder.
  await chmod(folder, 0o711)
  const profile = path.join(folder, 'profile')
  await mkdir(profile, { mode: 0o700 })
  return { path: folder, profile, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Removes the folders of processes that have ended. */
export async function sweepBrowserFolders(parent = tmpdir()): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(name.startsWith(prefix) && /^(\d+)-/.exec(name.slice(prefix.length))?.[1])
    if (pid > 0 && !isAlive(pid))
      await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // A process of another user is alive.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
