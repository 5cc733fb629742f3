// Temporary folders that belong to a gateway process. Their names hold its id, so that a later gateway can remove the
// folders of one that was killed.

import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'

export interface ProcessFolder {
  readonly path: string
  remove(): Promise<void>
}

/** Containers may share a temporary folder, but not their process ids. */
const machine = hostname().replaceAll(/[^\w]/g, '_')
const prefixOf = (purpose: string) => `tollway-${purpose}-${machine}-`

/** Other users may pass through it but not list it. */
export async function createProcessFolder(
  purpose: string,
  parent = tmpdir(),
): Promise<ProcessFolder> {
  const folder = await mkdtemp(path.join(parent, `${prefixOf(purpose)}${process.pid}-`))
  await chmod(folder, 0o711)
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Removes the folders of processes that have ended. */
export async function sweepProcessFolders(purpose: string, parent = tmpdir()): Promise<void> {
  const prefix = prefixOf(purpose)
  for (const name of await readdir(parent)) {
    const pid = Number(name.startsWith(prefix) && /^(\d+)-/.exec(name.slice(prefix.length))?.[1])
    if (pid > 0 && !isAlive(pid))
      await rm(path.join(parent, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Process ids return, so that a gateway in a container may have the id of the one that was killed before it. */
const life = randomUUID()

/** A new name for a file of this process, in a folder that processes and machines share. */
export const processFileName = (): string => `${machine}.${process.pid}.${life}.${randomUUID()}`

/** Whether the process of this machine that named a file has ended. False for files of other machines. */
export function isOfEndedProcess(fileName: string): boolean {
  const [host, pid, itsLife] = fileName.split('.')
  if (host !== machine) return false
  return Number(pid) === process.pid ? itsLife !== life : !isAlive(Number(pid))
}

/** Whether a process of this machine exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // A process of another user is alive.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
