// The processes of this machine, for tests that expect none of them to be left.
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** Processes with their parents, by the time of their start, since process ids are used again. */
export async function listProcesses(): Promise<Map<string, { pid: number; parent: number }>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
      const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (
        fields &&
        ([`${pid} ${fields[19]}`, { pid: Number(pid), parent: Number(fields[1]) }] as const)
      )
    }),
  )
  return new Map(found.filter((entry) => entry !== undefined))
}

export async function descendantsOf(ancestor: number): Promise<string[]> {
  const all = [...(await listProcesses())]
  const family = new Set([ancestor])
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const [, { pid, parent }] of all) if (family.has(parent)) family.add(pid)
  }
  return all.flatMap(([name, { pid }]) => (family.has(pid) && pid !== ancestor ? [name] : []))
}

/**
 * The work folders of these gateways. Those of other tests' gateways are not looked at, which may be killed at any
 * time.
 */
export async function foldersOf(
  kind: 'browser' | 'film',
  pids: readonly number[],
): Promise<string[]> {
  const named = new RegExp(String.raw`^tollway-${kind}-.*-(\d+)-\w+$`)
  const names = await readdir(tmpdir())
  return names.filter((name) => pids.includes(Number(named.exec(name)?.[1])))
}
