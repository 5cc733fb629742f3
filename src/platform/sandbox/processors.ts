// The processors of a box where no control group limits them: it is tied to some of those that the gateway may use.
import { readFile } from 'node:fs/promises'

/** Boxes with successive numbers take turns. */
export async function chooseProcessors(box: number, count: number): Promise<number[]> {
  const status = await readFile('/proc/self/status', 'utf8')
  return takeTurns(parseList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '0'), box, count)
}

export function takeTurns(all: readonly number[], box: number, count: number): number[] {
  const taken = Math.min(Math.max(1, Math.ceil(count)), all.length)
  return Array.from({ length: taken }, (_, at) => all[(box * taken + at) % all.length] ?? 0)
}

/** As the kernel writes it: `0-3,8`. */
export const parseList = (list: string): number[] =>
  list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
