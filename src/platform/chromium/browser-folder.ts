// Each browser has a folder for its profile and whatever else it writes. The name of the folder says which process made
// it, so that a later gateway can remove what one that was killed left behind.
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'

export interface BrowserFolder {
  readonly path: string
  /** Chromium's own, and the user's that it runs as. */
  readonly profile: string
  remove(): Promise<void>
}

/** Containers that share a temporary folder have process ids of their own each. */
const machine = hostname().replaceAll(/[^\w]/g, '_')
const prefix = `tollway-chromium-${machine}-`

export async function createBrowserFolder(parent = tmpdir()): Promise<BrowserFolder> {
  const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`))
  // Other users may pass through to the profile that is theirs, and see nothing on the way.
  await chmod(folder, 0o711)
  const profile = path.join(folder, 'profile')
  await mkdir(profile, { mode: 0o700 })
  return { path: folder, profile, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Removes the folders of processes that are gone. */
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
    // One of another user's is alive as well.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
