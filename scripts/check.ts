// The complete check: style, types, dead code, generated files and tests. With --all, the slow tests too.
import { spawn } from 'node:child_process'
import path from 'node:path'

interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

const root = path.join(import.meta.dirname, '..')
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)
const startedAt = performance.now()

/** These steps are independent, so they run at the same time. */
const reading: readonly Step[] = [
  { name: 'style', command: bin('biome'), args: ['check', '--error-on-warnings'] },
  { name: 'types', command: bin('tsc'), args: ['--noEmit'] },
  { name: 'types of the console', command: bin('tsc'), args: ['--noEmit', '-p', 'console'] },
  { name: 'dead code', command: bin('knip'), args: [] },
  { name: 'generated files', command: process.execPath, args: ['scripts/generate.ts', '--check'] },
]

const quick = process.argv.includes('--all') ? [] : ['--project', 'unit', '--project', 'app']
/** These run alone, because many tests measure time. */
const tests: Step = {
  name: 'tests',
  command: process.execPath,
  args: [bin('vitest'), 'run', ...quick],
}

const passed = await Promise.all(reading.map((step) => run(step, 'when it ends')))
if (!passed.every(Boolean) || !(await run(tests, 'at once'))) process.exitCode = 1
console.log(
  `${process.exitCode === 1 ? '✗' : '✓'} ${process.argv.includes('--all') ? 'everything' : 'check'} (${seconds(startedAt)})`,
)

/** Resolves to whether the step passed. The output of concurrent steps is not mixed. */
async function run({ name, command, args }: Step, printed: 'at once' | 'when it ends') {
  const stepStartedAt = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    stdio: printed === 'at once' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => output.push(chunk))
  }
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  process.stdout.write(Buffer.concat(output))
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds(stepStartedAt)})`)
  return status === 0
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`
}
