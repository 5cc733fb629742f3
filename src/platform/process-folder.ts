// Temporary folders that belong to a gateway process. Their names hold its id, so that a later gateway can remove the
// folders of one that was killed.

import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { errorCodeOf } from './thrown.ts'

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

/**
 * Tells this process from others of its machine. Process ids return, so that a gateway in a container may have the id
 * of the one that was killed before it.
 */
export const ownProcess = `${process.pid}.${randomUUID()}`

/** Whether the process of this machine that is named like `ownProcess` has ended. */
export function hasEnded(name: string): boolean {
  const pid = Number.parseInt(name, 10)
  return pid === process.pid ? name !== ownProcess : !isAlive(pid)
}

/** A new name for a file of this process, in a folder that processes and machines share. */
export const processFileName = (): string => `${machine}.${ownProcess}.${randomUUID()}`

/** Whether the process of this machine that named a file has ended. False for files of other machines. */
export function isOfEndedProcess(fileName: string): boolean {
  const [host, pid, life] = fileName.split('.')
  return host === machine && hasEnded(`${pid}.${life}`)
}

/** Whether a process of this machine exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // A process of another user is alive.
    return errorCodeOf(thrown) === 'EPERM'
  }
}
