// The one gate: style, types, dead code, generated files, tests. With --all, the slow suites too.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const all = process.argv.includes('--all')
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)

const steps: { name: string; command: string; args: string[] }[] = [
  { name: 'style', command: bin('biome'), args: ['check', '--error-on-warnings'] },
  { name: 'types', command: bin('tsc'), args: ['--noEmit'] },
  { name: 'dead code', command: bin('knip'), args: [] },
  { name: 'generated files', command: process.execPath, args: ['scripts/generate.ts', '--check'] },
  {
    name: 'tests',
    command: process.execPath,
    args: [bin('vitest'), 'run', ...(all ? [] : ['--project', 'unit', '--project', 'app'])],
  },
]

for (const { name, command, args } of steps) {
  const startedAt = performance.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (status !== 0) process.exit(1)
}
