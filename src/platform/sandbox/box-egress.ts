// Outbound network of a standing box: a proxy of its own behind the egress guard, on a socket in a folder that the box
// cannot change. Inside, the agent offers it on the box's loopback.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { EgressGuard } from '../egress/guard.ts'
import { createPrivateProxy } from '../egress/proxy.ts'

export interface BoxEgressTerms {
  readonly guard: EgressGuard
  /** What one box may send and receive. */
  readonly bytesMax: number
}

/** Of the box's loopback. */
export const boxProxyPort = 3_128
const insideFolder = '/run/gateway'
const socketName = 'egress'
export const boxProxySocket = path.posix.join(insideFolder, socketName)
const idleTimeoutMs = 120_000

/** `folder` must not be seen by other boxes. */
export async function openBoxEgress(folder: string, { guard, bytesMax }: BoxEgressTerms) {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const socketPath = path.join(folder, socketName)
  const proxy = await createPrivateProxy({
    guard,
    socketPath,
    terms: { bytesMax, idleTimeoutMs },
  })
  return {
    mounts: [
      ...['--ro-bind', folder, insideFolder],
      // Programs check the certificates of servers by these.
      ...['--ro-bind-try', '/etc/ssl/certs', '/etc/ssl/certs'],
    ],
    async close() {
      await proxy.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
