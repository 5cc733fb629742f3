import { readFile, readlink, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#core/ports.ts'
import { errorCodeOf } from '../thrown.ts'
import { readPidFile } from './pid-file.ts'
import { shutDown } from './shutdown.ts'
import { isAnswered } from './socket.ts'
import { ownFolder, run } from './system-user.ts'

const pollMs = 10
const commandTimeoutMs = 10_000

/**
 * Ends the server that a killed gateway left behind. The caller holds the lock of the cluster, so a server that runs on
 * it has no living gateway. Ending it costs a fifth of a second once after a crash. Adopting it would save that, but
 * then not every server would be a child of this process with its binaries and settings.
 */
export async function endOrphan(options: {
  cluster: string
  socketDirectory: string
  log: Log
}): Promise<void> {
  const { cluster, socketDirectory, log } = options
  const found = await readPidFile(cluster)
  if (found && (await isServerOf(cluster, found.pid))) {
    const { pid } = found
    log.warn({ pid, cluster }, 'Stopping a PostgreSQL server that an earlier gateway left running.')
    await shutDown({
      signal: (name) => process.kill(pid, name),
      isGoneWithin: (timeoutMs) => isGoneWithin(cluster, pid, timeoutMs),
    })
    return
  }
  if (await isAnswered(socketDirectory)) {
    throw new Error(
      `A PostgreSQL server that this gateway cannot reach, perhaps in another container, uses ${cluster}. ` +
        `Stop it. Its process id on its own system is ${found?.pid ?? 'unknown'}.`,
    )
  }
  // Another process has received the id since. PostgreSQL would see that the id is in use and refuse to start.
  if (found && isAlive(found.pid)) await rm(found.file, { force: true })
}

async function isGoneWithin(cluster: string, pid: number, timeoutMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs
  while (await isServerOf(cluster, pid)) {
    if (performance.now() > deadlineMs) return false
    await delay(pollMs)
  }
  return true
}

/**
 * Tells a server of this cluster from another process that received its id, by the first arguments that `spawnServer`
 * passes. A zombie has no arguments.
 */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await commandOf(pid)
  if (command.includes(` -D ${cluster} -c `)) return true
  if (!command.includes(` -D ${ownFolder} -c `)) return false
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === cluster
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return text.replaceAll('\0', ' ')
  }
  const args = ['-ww', '-o', 'command=', '-p', String(pid)]
  const options = { account: undefined, timeoutMs: commandTimeoutMs }
  return await run('ps', args, options).catch(() => '')
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCodeOf(error) === 'EPERM'
  }
}
