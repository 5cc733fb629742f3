// Programs of the operator that serve on their standard input and output, each in a box of its own for as long as it
// runs. It sees the system, its own home folder and the folders that the operator names, all read-only unless they say
// otherwise.
import path from 'node:path'
import type { EgressGuard } from '../egress/guard.ts'
import { createProcessFolder, sweepProcessFolders } from '../process-folder.ts'
import { boxProxyPort, boxProxySocket, openBoxEgress } from './box-egress.ts'
import type { Ended, RunningProgram } from './bubblewrap.ts'
import type { Sandbox } from './sandbox.ts'
import { shareNode } from './shared-node.ts'

export interface ServedFolder {
  /** On this machine, and in the box. Absolute. */
  readonly path: string
  readonly mayWrite: boolean
}

export interface ServedProgramTerms {
  /** The command line. `node` is the gateway's own. */
  readonly command: readonly string[]
  readonly folders: readonly ServedFolder[]
  readonly environment: Readonly<Record<string, string>>
  /** Whether it reaches the network: through the egress guard, so not this machine or private addresses. */
  readonly network: boolean
}

export interface ServedPrograms {
  /** Throws an Error that says what is missing, or the signal's reason. The signal ends the program. */
  start(terms: ServedProgramTerms, signal: AbortSignal): Promise<RunningProgram>
}

const purpose = 'served-programs'
/** Node and its threads reserve more addresses than memory. */
const addressSpaceBytesMax = 32_000_000_000
/** Of each process. A program that needs more ends, and its next call starts it anew. */
const memoryBytesMax = 2_000_000_000
const cpuSecondsMax = 86_400
const fileBytesMax = 1_000_000_000
const processesMax = 256
/** A program that has run for so long is started anew by its next call. */
const wallMsMax = 14 * 24 * 3_600_000
const egressBytesMax = 10_000_000_000
const proxyAddress = `http://127.0.0.1:${boxProxyPort}`

/** Offers the socket of the proxy on the box's loopback, and runs the rest of the command line. */
const relay = `
const net = require('node:net')
const [socket, program, ...args] = process.argv.slice(1)
net.createServer((near) => {
  const far = net.connect(socket)
  for (const [one, other] of [[near, far], [far, near]]) one.on('error', () => other.destroy()).pipe(other)
}).listen(${boxProxyPort}, '127.0.0.1', () => {
  const child = require('node:child_process').spawn(program, args, { stdio: 'inherit' })
  child.on('error', (error) => { console.error(error.message); process.exit(127) })
  child.on('exit', (code) => process.exit(code ?? 1))
})`

/** Places of the system in a box, which no folder of the operator may take. */
const ownPlaces = [
  ...['/', '/bin', '/etc', '/lib', '/lib64', '/opt', '/run', '/sbin', '/tmp', '/usr', '/work'],
]
const ownTrees = ['/dev', '/proc', '/sys', '/run/gateway']

export function createServedPrograms(dependencies: {
  readonly sandbox: Pick<Sandbox, 'start' | 'makeFolder'>
  readonly guard: EgressGuard
  readonly parent?: string
}): ServedPrograms {
  const { sandbox, guard, parent } = dependencies
  let swept: Promise<void> | undefined

  return {
    async start({ command, folders, environment, network }, signal) {
      swept ??= sweepProcessFolders(purpose, parent).catch(() => {})
      await swept
      const mounts = folders.flatMap(mountOf)
      const folder = await createProcessFolder(purpose, parent)
      const home = path.join(folder.path, 'home')
      await sandbox.makeFolder(home)
      const node = await shareNode(folder.path)
      const terms = { guard, bytesMax: egressBytesMax }
      const way = network ? await openBoxEgress(path.join(folder.path, 'egress'), terms) : undefined
      const close = async () => {
        await way?.close()
        await folder.remove()
      }
      const relayed = ['node', '-e', relay, boxProxySocket, ...command]
      const [program = '', ...args] = way ? relayed : command
      try {
        const running = await sandbox.start({
          // The box finds programs by its own PATH.
          program: '/usr/bin/env',
          args: ['--', program, ...args],
          folder: home,
          mayWrite: true,
          mounts: ['--ro-bind', node, '/opt/bin/node', ...mounts, ...(way?.mounts ?? [])],
          environment: { ...(way && proxyVariables), ...environment, ...homeVariables },
          limits: {
            memoryBytes: addressSpaceBytesMax,
            dataBytes: memoryBytesMax,
            cpuSeconds: cpuSecondsMax,
            fileBytes: fileBytesMax,
            processes: processesMax,
            wallMs: wallMsMax,
          },
          signal,
        })
        const ended: Promise<Ended> = running.ended.finally(close)
        ended.catch(() => {})
        return { ...running, ended }
      } catch (thrown) {
        await close()
        throw thrown
      }
    },
  }
}

const homeVariables = { HOME: '/work', PATH: '/opt/bin:/usr/bin:/bin' }
const proxyVariables = {
  HTTP_PROXY: proxyAddress,
  HTTPS_PROXY: proxyAddress,
  http_proxy: proxyAddress,
  https_proxy: proxyAddress,
  // Node's own fetch reads them only if it is told to.
  NODE_USE_ENV_PROXY: '1',
}

function mountOf({ path: place, mayWrite }: ServedFolder): string[] {
  const isTaken =
    ownPlaces.includes(place) ||
    ownTrees.some((tree) => place === tree || place.startsWith(`${tree}/`))
  if (!path.isAbsolute(place) || path.normalize(place) !== place || isTaken)
    throw new Error(
      `The folder ${place} cannot be in a box: name an absolute path that is not a place of the system.`,
    )
  return [mayWrite ? '--bind' : '--ro-bind', place, place]
}
