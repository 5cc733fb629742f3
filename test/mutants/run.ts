// Plants one bug after the other in a copy of the repository, and runs the tests that should notice it.
//   npm run mutants            all of them
//   npm run mutants egress     those with this word in their name or file
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Mutant } from './mutant.ts'
import { mutants, plant } from './mutants.ts'

type Verdict = 'killed' | 'survived' | 'broken'

const root = path.join(import.meta.dirname, '..', '..')
const leftOut: readonly string[] = ['.git', 'node_modules', 'data']
const copiesMax = 2
const killRateMin = 0.95
/** A mutant that hangs is a failing test long before this. */
const runTimeoutMs = 900_000

/** What vitest's JSON reporter writes, as far as it is read here. */
interface Report {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

interface Outcome {
  readonly verdict: Verdict
  readonly seconds: number
}

async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'tollway-mutants-'))
  for (const name of await readdir(root)) {
    if (leftOut.includes(name)) continue
    await cp(path.join(root, name), path.join(copy, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'node_modules',
    })
  }
  for (const name of ['node_modules', 'oracles/node_modules'])
    await symlink(path.join(root, name), path.join(copy, name))
  return copy
}

/** Runs test files until the first failure. Resolves to the tests that failed, or undefined when none could run. */
async function runTests(copy: string, tests: readonly string[]): Promise<string[] | undefined> {
  const report = path.join(copy, 'mutant-report.json')
  await rm(report, { force: true })
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const reporting = ['--reporter=json', `--outputFile=${report}`]
  const child = spawn(process.execPath, [vitest, 'run', '--bail=1', ...reporting, ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: runTimeoutMs,
  })
  await new Promise((resolve) => child.on('close', resolve))
  const text = await readFile(report, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(text) as Report
  if (numFailedTests + numPassedTests === 0) return undefined
  const ran = testResults.flatMap(({ assertionResults }) => assertionResults)
  return ran.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
}

async function tryMutant(copy: string, mutant: Mutant): Promise<Outcome> {
  const file = path.join(copy, mutant.file)
  const original = await readFile(file, 'utf8')
  const startedAtMs = performance.now()
  await writeFile(file, plant(mutant, original))
  const failed = await runTests(copy, mutant.tests)
  await writeFile(file, original)
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000)
  const verdict = failed === undefined ? 'broken' : failed.length > 0 ? 'killed' : 'survived'
  return { verdict, seconds }
}

const word = process.argv[2] ?? ''
const chosen = mutants.filter(({ name, file }) => name.includes(word) || file.includes(word))
if (chosen.length === 0) {
  console.error(`No mutant has "${word}" in its name or file.`)
  process.exit(1)
}
const copies = await Promise.all(Array.from({ length: copiesMax }, copyRepository))
const outcomes = new Map<Mutant, Outcome>()
try {
  const [first = root] = copies
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))]
  console.log(`Without a mutant, ${tests.length} test files must pass.`)
  const failed = await runTests(first, tests)
  if (failed?.length !== 0) throw new Error(`Mend first: ${failed?.join('; ') ?? 'no test ran'}`)
  const waiting = [...chosen]
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const outcome = await tryMutant(copy, mutant)
        outcomes.set(mutant, outcome)
        const place = `${outcomes.size}/${chosen.length}`
        console.log(`${place}\t${outcome.verdict}\t${outcome.seconds} s\t${mutant.name}`)
      }
    }),
  )
} finally {
  for (const copy of copies) await rm(copy, { recursive: true, force: true })
}

const killed = [...outcomes.values()].filter(({ verdict }) => verdict === 'killed').length
const rate = killed / chosen.length
console.log(`${killed} of ${chosen.length} mutants killed (${(100 * rate).toFixed(1)} %).`)
for (const [{ name, file }, { verdict }] of outcomes)
  if (verdict !== 'killed') console.log(`${verdict}: ${name} (${file})`)
process.exitCode = rate >= killRateMin ? 0 : 1
