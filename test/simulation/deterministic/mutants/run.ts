// Plants one bug after the other, and says which seed finds it.
import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Options } from '../options.ts'
import { print } from '../print.ts'
import { bugs } from './bugs.ts'

const secondsPerBugDefault = '60'

export async function runPlanted({ only, seconds, seed }: Options): Promise<void> {
  const chosen = bugs.filter(({ name }) => name.includes(only))
  let found = 0
  for (const { name, file, isInterleaving } of chosen) {
    const args = ['--plant', name, '--seconds', seconds ?? secondsPerBugDefault, '--seed', seed]
    if (file.endsWith('.sql')) args.push('--postgres')
    const startedAtMs = performance.now()
    const printed = await runChild([...args, '--whole'])
    const spent = `${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s`
    const failing = /^first failing seed (\d+)$/m.exec(printed)?.[1]
    const tried = /^seeds (\d+)$/m.exec(printed)?.[1] ?? '0'
    const violation = printed
      .split('\n')
      .find((_line, index, all) => all[index - 1]?.startsWith('first failing'))
    if (failing !== undefined) found += 1
    const verdict = failing === undefined ? `NOT FOUND by ${tried} seeds` : `seed ${failing}`
    print(
      `${verdict}\t${spent}\t${isInterleaving ? 'interleaving: ' : ''}${name}\t${violation ?? ''}`,
    )
  }
  print(`${found} of ${chosen.length} planted bugs found.`)
  process.exitCode = found === chosen.length ? 0 : 1
}

async function runChild(args: readonly string[]): Promise<string> {
  const root = path.join(import.meta.dirname, '../../../..')
  const start = path.join(root, 'scripts/start.js')
  const script = path.relative(root, path.join(import.meta.dirname, '../run.ts'))
  const child = spawn(process.execPath, [...process.execArgv, start, script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (part) => {
    printed += part
  })
  await new Promise((resolve) => child.once('close', resolve))
  return printed
}
