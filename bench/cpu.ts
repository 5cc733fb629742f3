import { readdir, readFile } from 'node:fs/promises'

/** Clock ticks of /proc, fixed at 100 a second on Linux. */
const ticksPerSecond = 100

interface ProcessTimes {
  readonly parent: number
  readonly seconds: number
}

/** CPU seconds that a process and its descendants have used, those included that have ended and were waited for. */
export async function cpuSeconds(rootPid: number): Promise<number> {
  const table = new Map<number, ProcessTimes>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const times = await readTimes(Number(name))
    if (times !== undefined) table.set(Number(name), times)
  }
  const total = (pid: number): number =>
    (table.get(pid)?.seconds ?? 0) +
    [...table].reduce((sum, [child, { parent }]) => (parent === pid ? sum + total(child) : sum), 0)
  return total(rootPid)
}

async function readTimes(pid: number): Promise<ProcessTimes | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The command name may hold spaces and brackets; the fields after it are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0)
    return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond }
  } catch {
    return undefined
  }
}
