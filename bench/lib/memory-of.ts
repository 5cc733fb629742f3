// The memory of processes, with shared pages divided among those that share them.
import { readdir, readFile } from 'node:fs/promises'

/** Of all processes below `ancestor`, in bytes. */
export async function memoryBelow(ancestor: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = new Map<number, number>()
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent !== undefined) parents.set(Number(pid), Number(parent))
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === ancestor || isBelow(parent))
  }
  const sizes = await Promise.all([...parents.keys()].filter(isBelow).map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1_024
}
