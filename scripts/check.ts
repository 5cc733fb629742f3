// Style, types, dead code, generated files and the tests that need no database. With --all, also the tests that need
// one, and the slow ones. With --nightly, every test. With --deep, every test, and those that kill, load or try at
// random do so more often. With --repeat 5, the tests run five times, and the tests that failed are listed with the
// runs in which they did.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { areOraclesInstalled, listFilesWithOracles } from '../test/support/oracles/installed.ts'
import { failedTestsVariable } from '../test/support/reporters/failed-tests.ts'

interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const root = path.join(import.meta.dirname, '..')
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)
const startedAt = performance.now()

/** Also makes the types of the clients. */
const generated: Step = {
  name: 'generated files',
  command: process.execPath,
  args: ['scripts/generate.ts', '--check'],
}
const afterGenerated: readonly Step[] = [
  { name: 'types', command: bin('tsc'), args: ['--noEmit', ...checkedTypes()] },
  { name: 'types of the console', command: bin('tsc'), args: ['--noEmit', '-p', 'console'] },
  { name: 'dead code', command: bin('knip'), args: [] },
]
const style: Step = {
  name: 'style',
  command: bin('biome'),
  args: ['check', '--error-on-warnings'],
}

/** Without the oracles, their types are missing too. */
function checkedTypes(): readonly string[] {
  if (areOraclesInstalled()) return remembering('types')
  const without = listFilesWithOracles()
  const folder = path.join(root, '.cache')
  const file = path.join(folder, 'tsconfig.without-oracles.json')
  const exclude = ['oracles', ...without].map((name) => `../${name}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify({ extends: '../tsconfig.json', exclude }))
  return ['-p', file, ...remembering('types-without-oracles')]
}

/**
 * The compiler looks again only at files that changed since its last look, and at what depends on them. Several
 * checkers would each work out most types for themselves, which costs nearly twice the processor time.
 */
function remembering(name: string): readonly string[] {
  const memory = path.join(root, '.cache', `${name}.tsbuildinfo`)
  return ['--checkers', '1', '--incremental', '--tsBuildInfoFile', memory]
}

const { values } = parseArgs({
  options: {
    all: { type: 'boolean' },
    nightly: { type: 'boolean' },
    deep: { type: 'boolean' },
    repeat: { type: 'string', default: '1' },
  },
})
const times = Number(values.repeat)
if (!Number.isInteger(times) || times < 1) {
  throw new RangeError('--repeat needs a number of runs, from one on.')
}
const hasAll = values.nightly || values.deep
const projects = hasAll ? [] : ['--project', values.all ? '!nightly*' : 'unit']

if (!(await read()) || !(await runTests())) process.exitCode = 1
console.log(
  `${process.exitCode === 1 ? '✗' : '✓'} ${hasAll ? 'everything' : values.all ? 'test' : 'check'} (${seconds(startedAt)})`,
)

/** What does not depend on each other runs at the same time. */
async function read(): Promise<boolean> {
  const isStylish = run(style, 'when it ends')
  const isGenerated = await run(generated, 'when it ends')
  const others = await Promise.all(afterGenerated.map((step) => run(step, 'when it ends')))
  return (await isStylish) && isGenerated && others.every(Boolean)
}

/** Runs the tests as often as asked. They run alone, because many of them wait for real processes. */
async function runTests(): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollway-check-'))
  const failures = new Map<string, number[]>()
  let allPassed = true
  for (let turn = 1; turn <= times; turn += 1) {
    const failedFile = path.join(folder, `${turn}.json`)
    const name = times === 1 ? 'tests' : `tests, run ${turn} of ${times}`
    const args = [bin('vitest'), 'run', ...projects]
    const tests = {
      name,
      command: process.execPath,
      args,
      env: { [failedTestsVariable]: failedFile, ...(values.deep && { TEST_DEPTH: 'deep' }) },
    }
    if (await run(tests, 'at once')) continue
    allPassed = false
    for (const test of failedIn(failedFile))
      failures.set(test, [...(failures.get(test) ?? []), turn])
  }
  rmSync(folder, { recursive: true, force: true })
  for (const [test, turns] of times === 1 ? [] : failures) {
    console.log(`✗ ${test}: failed in ${turns.length} of ${times} runs (${turns.join(', ')})`)
  }
  return allPassed
}

/** The tests that failed in a run; nothing where it ended before it could write them. */
function failedIn(file: string): readonly string[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return ['the run itself']
  }
}

/** Resolves to whether the step passed. The output of concurrent steps is not mixed. */
async function run({ name, command, args, env }: Step, printed: 'at once' | 'when it ends') {
  const stepStartedAt = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
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
