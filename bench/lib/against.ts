// The same benchmark in this tree and in another commit, in turn.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { compareReports } from './compare-reports.ts'

const root = path.join(import.meta.dirname, '../..')

/** Prints, for each figure of the benchmark's tables, the median of this tree divided by the median of `commit`. */
export async function runAgainst(
  commit: string,
  name: string,
  args: readonly string[],
  rounds: number,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tollway-bench-'))
  const other = path.join(folder, 'tree')
  execFileSync('git', ['worktree', 'add', '--detach', other, commit], { cwd: root })
  try {
    for (const modules of ['node_modules', 'oracles/node_modules']) {
      const from = path.join(root, modules)
      if (existsSync(from)) await linkModules(from, path.join(other, modules))
    }
    const reports = { before: [] as string[], after: [] as string[] }
    for (let round = 0; round < rounds; round += 1) {
      // The two trees take turns in going first, so that a machine that slows down favours neither.
      const order =
        round % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const)
      for (const which of order) {
        console.error(
          `Round ${round + 1} of ${rounds}: ${which === 'before' ? commit : 'this tree'}`,
        )
        reports[which].push(await runIn(which === 'before' ? other : root, name, args))
      }
    }
    console.log(`Each figure of this tree divided by the same figure of ${commit}:\n`)
    console.log(compareReports(reports.before, reports.after))
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', other], { cwd: root })
    await rm(folder, { recursive: true, force: true })
  }
}

async function runIn(tree: string, name: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['scripts/start.js', 'bench/run.ts', name, ...args], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [report, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`The benchmark ended with ${code} in ${tree}.`)
  return report
}

/** Links the installed packages. Links to workspaces stay relative, so that the other tree uses its own. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) {
    const [source, target] = [path.join(from, name), path.join(to, name)]
    if ((await lstat(source)).isSymbolicLink()) await symlink(await readlink(source), target)
    else if (name.startsWith('@')) await linkModules(source, target)
    else await symlink(source, target)
  }
}
