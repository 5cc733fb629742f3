// Measures the CPU and memory of processes and all of their descendants, from /proc.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Clock ticks of /proc, fixed at 100 a second on Linux. */
const ticksPerSecond = 100
const pageBytes = 4_096

interface ProcessUse {
  readonly parent: number
  readonly cpuSeconds: number
  readonly memoryBytes: number
}

/** CPU seconds of a process and its descendants, including those that have ended and were waited for. */
export function cpuSeconds(rootPid: number): Promise<number> {
  return sumOfTree(rootPid, ({ cpuSeconds }) => cpuSeconds)
}

/** Resident memory of a process and its descendants. Shared memory is counted for each of them. */
export function memoryBytes(rootPid: number): Promise<number> {
  return sumOfTree(rootPid, ({ memoryBytes }) => memoryBytes)
}

/** The first process of the PostgreSQL server that runs on a cluster's folder. */
export async function readPostmasterPid(directory: string): Promise<number> {
  const text = await readFile(path.join(directory, 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

async function sumOfTree(rootPid: number, use: (process: ProcessUse) => number): Promise<number> {
  const table = new Map<number, ProcessUse>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const found = await readUse(Number(name))
    if (found !== undefined) table.set(Number(name), found)
  }
  const total = (pid: number): number => {
    const own = table.get(pid)
    const children = [...table].filter(([, { parent }]) => parent === pid)
    return (own ? use(own) : 0) + children.reduce((sum, [child]) => sum + total(child), 0)
  }
  return total(rootPid)
}

async function readUse(pid: number): Promise<ProcessUse | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The command name may hold spaces and brackets; the fields after it are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
    return {
      parent: Number(fields[1]),
      cpuSeconds: ticks / ticksPerSecond,
      memoryBytes: Number(fields[21]) * pageBytes,
    }
  } catch {
    return undefined
  }
}
