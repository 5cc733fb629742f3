// Control groups: the kernel's limits on what all processes of a box use together. Machines offer version 2, the older
// version 1, or none that a gateway may write to.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../process-folder.ts'
import { errorCodeOf } from '../thrown.ts'

export interface GroupLimits {
  /** Of all processes and temporary files of the box. */
  readonly memoryBytes: number
  readonly processes: number
  /** The box may keep this many processors busy. */
  readonly cpus: number
}

export interface ControlGroup {
  /** Its later children belong to it too. */
  join(pid: number): Promise<void>
  /** What its processes have used so far, those that have ended included. Undefined where groups do not count it. */
  processorSeconds(): Promise<number | undefined>
  /** How many processes it has now. Undefined where there are no groups. */
  processes(): Promise<number | undefined>
  /** Once its processes have ended. */
  remove(): Promise<void>
}

export interface ControlGroups {
  /** `rlimits`: the machine has no groups for the gateway, so each process is limited by itself. */
  readonly kind: 'cgroup v2' | 'cgroup v1' | 'rlimits'
  open(name: string, limits: GroupLimits): Promise<ControlGroup>
  /** Removes what was made for this gateway, once its groups are removed. */
  close(): Promise<void>
}

/** A folder in which groups are made, and the files that limit a group in it. */
interface Hierarchy {
  readonly folder: string
  readonly settings: (limits: GroupLimits) => Readonly<Record<string, string>>
  /** Where it counts processor time. */
  readonly count?: { readonly file: string; readonly seconds: (text: string) => number }
}

const mountPoint = '/sys/fs/cgroup'
const cpuPeriodUs = 100_000
const quota = ({ cpus }: GroupLimits) => String(Math.round(cpus * cpuPeriodUs))
const prefix = 'tollway-boxes-'
const emptyWaitMs = 20
const emptyWaitsMax = 250

/** The groups that this machine offers, best first. Leftovers of killed gateways are removed. */
export async function openControlGroups(): Promise<ControlGroups> {
  for (const { kind, find } of [
    { kind: 'cgroup v2', find: findVersion2 },
    { kind: 'cgroup v1', find: findVersion1 },
  ] as const) {
    const hierarchies = await find().catch(() => [])
    if (hierarchies.length === 0) continue
    const groups: ControlGroups = {
      kind,
      open: (name, limits) => open(hierarchies, name, limits),
      async close() {
        for (const { folder } of hierarchies) await removeEmptied(folder).catch(() => {})
      },
    }
    if (await works(groups)) return groups
  }
  return noGroups
}

export const noGroups: ControlGroups = {
  kind: 'rlimits',
  open: async () => ({
    join: async () => {},
    processorSeconds: async () => undefined,
    processes: async () => undefined,
    remove: async () => {},
  }),
  close: async () => {},
}

async function works({ open }: Pick<ControlGroups, 'open'>): Promise<boolean> {
  try {
    const limits = { memoryBytes: 100_000_000, processes: 10, cpus: 1 }
    await (await open('probe', limits)).remove()
    return true
  } catch {
    return false
  }
}

/** The group of this process, by controller. */
async function ownGroups(): Promise<ReadonlyMap<string, string>> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8')).trim().split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, controllers = '', place = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
      return controllers.split(',').map((name) => [name, place] as const)
    }),
  )
}

/**
 * A group with children that are limited may have no processes itself, so the gateway moves into a child of its own. A
 * service manager that did so already calls that child `gateway`.
 */
async function findVersion2(): Promise<Hierarchy[]> {
  const own = path.join(mountPoint, (await ownGroups()).get('') ?? '/')
  const offered = (await readFile(path.join(own, 'cgroup.controllers'), 'utf8')).split(/\s/)
  if (!['memory', 'pids', 'cpu'].every((name) => offered.includes(name))) return []
  const parent = path.basename(own) === 'gateway' ? path.dirname(own) : own
  if (own === parent && own !== mountPoint) {
    await mkdir(path.join(own, 'gateway'), { recursive: true })
    await writeFile(path.join(own, 'gateway/cgroup.procs'), String(process.pid))
  }
  const controllers = '+memory +pids +cpu'
  await writeFile(path.join(parent, 'cgroup.subtree_control'), controllers)
  const folder = await openFolder(parent)
  await writeFile(path.join(folder, 'cgroup.subtree_control'), controllers)
  return [
    {
      folder,
      settings: (limits) => ({
        'memory.max': String(limits.memoryBytes),
        'memory.swap.max': '0',
        'pids.max': String(limits.processes),
        'cpu.max': `${quota(limits)} ${cpuPeriodUs}`,
      }),
      count: {
        file: 'cpu.stat',
        seconds: (text) => Number(/^usage_usec (\d+)$/m.exec(text)?.[1]) / 1e6,
      },
    },
  ]
}

async function findVersion1(): Promise<Hierarchy[]> {
  const groups = await ownGroups()
  const folderOf = async (controller: string) => {
    const own = groups.get(controller)
    if (own === undefined) throw new Error(`The controller ${controller} is missing.`)
    const root = path.join(mountPoint, controller)
    // In a container the path may be that of the host.
    const parents = [path.join(root, own), root]
    return await openFolder(parents[0] ?? root).catch(() => openFolder(parents[1] ?? root))
  }
  const count = { file: 'cpuacct.usage', seconds: (text: string) => Number(text) / 1e9 }
  const processors = await folderOf('cpu')
  // Most machines count processor time where they limit it.
  const isCounted = existsSync(path.join(processors, count.file))
  const counter = isCounted ? undefined : await folderOf('cpuacct').catch(() => undefined)
  return [
    {
      folder: await folderOf('memory'),
      settings: ({ memoryBytes }) => ({ 'memory.limit_in_bytes': String(memoryBytes) }),
    },
    {
      folder: await folderOf('pids'),
      settings: ({ processes }) => ({ 'pids.max': String(processes) }),
    },
    {
      folder: processors,
      settings: (limits) => ({
        'cpu.cfs_period_us': String(cpuPeriodUs),
        'cpu.cfs_quota_us': quota(limits),
      }),
      ...(isCounted && { count }),
    },
    ...(counter === undefined ? [] : [{ folder: counter, settings: () => ({}), count }]),
  ]
}

/** The folder of this gateway's groups. */
async function openFolder(parent: string): Promise<string> {
  for (const name of await readdir(parent)) {
    const pid = Number(name.startsWith(prefix) && Number.parseInt(name.slice(prefix.length), 10))
    if (pid > 0 && !isAlive(pid)) await removeTree(path.join(parent, name)).catch(() => {})
  }
  const folder = path.join(parent, `${prefix}${process.pid}-${randomUUID()}`)
  await mkdir(folder)
  return folder
}

async function removeTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeTree(path.join(folder, entry.name))
  await rmdir(folder)
}

async function open(
  hierarchies: readonly Hierarchy[],
  name: string,
  limits: GroupLimits,
): Promise<ControlGroup> {
  const folders = hierarchies.map(({ folder }) => path.join(folder, name))
  const remove = async () => {
    for (const folder of folders) await removeEmptied(folder)
  }
  try {
    for (const [at, { settings }] of hierarchies.entries()) {
      const folder = folders[at] ?? ''
      await mkdir(folder)
      for (const [file, value] of Object.entries(settings(limits)))
        await writeFile(path.join(folder, file), value)
    }
  } catch (thrown) {
    await remove()
    throw thrown
  }
  return {
    async join(pid) {
      for (const folder of folders) await writeFile(path.join(folder, 'cgroup.procs'), String(pid))
    },
    async processorSeconds() {
      const at = hierarchies.findIndex(({ count }) => count !== undefined)
      const count = hierarchies[at]?.count
      if (count === undefined) return undefined
      return count.seconds(await readFile(path.join(folders[at] ?? '', count.file), 'utf8'))
    },
    async processes() {
      const list = await readFile(path.join(folders[0] ?? '', 'cgroup.procs'), 'utf8')
      return list.split('\n').length - 1
    },
    remove,
  }
}

/** Processes that were killed leave their group a moment later. */
async function removeEmptied(folder: string): Promise<void> {
  for (let waits = 0; ; waits++) {
    try {
      return await rmdir(folder)
    } catch (thrown) {
      const code = errorCodeOf(thrown)
      if (code === 'ENOENT') return
      if (code !== 'EBUSY' || waits >= emptyWaitsMax) throw thrown
      await sleep(emptyWaitMs)
    }
  }
}
