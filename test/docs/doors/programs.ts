// Runs the programs of the pages, those of a language one after the other in one process.
import { execFile } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findPython, pythonFolder } from '../../clients/python.ts'

const execute = promisify(execFile)
const root = path.join(import.meta.dirname, '../../..')

export interface Program {
  /** Of its first block. */
  readonly at: string
  readonly code: string
  /** In which it runs. */
  readonly folder: string
  readonly variables: Readonly<Record<string, string>>
}

/** What its reader has installed, by where it is here. */
const packages: Readonly<Record<string, string>> = {
  '@tollway/client': 'clients/typescript',
  openai: 'oracles/node_modules/openai',
  '@anthropic-ai/sdk': 'oracles/node_modules/@anthropic-ai/sdk',
  'playwright-core': 'node_modules/playwright-core',
  'puppeteer-core': 'oracles/node_modules/puppeteer-core',
}

/** Each ends with `ok`, or with what was thrown. */
export type Ends = Readonly<Record<string, string>>

const nodeRunner = `
const ends = {}
for (const { at, file, folder, variables } of JSON.parse(process.argv[2])) {
  process.chdir(folder)
  Object.assign(process.env, variables)
  ends[at] = await import(file).then(() => 'ok', (error) => String(error?.stack ?? error))
}
process.stderr.write('\\n' + JSON.stringify(ends), () => process.exit(0))
`

export async function runScripts(programs: readonly Program[], folder: string): Promise<Ends> {
  for (const [name, place] of Object.entries(packages)) {
    const link = path.join(folder, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(path.join(root, place), link)
  }
  const files = programs.map(async ({ at, code, folder: own, variables }, index) => {
    const file = path.join(folder, `program-${index}.ts`)
    await writeFile(file, code)
    return { at, file, folder: own, variables }
  })
  const runner = path.join(folder, 'run.mjs')
  await writeFile(runner, nodeRunner)
  return await endsOf(process.execPath, [runner], await Promise.all(files))
}

const pythonRunner = `
import json, os, sys, traceback
ends = {}
for program in json.loads(sys.argv[1]):
    os.chdir(program["folder"])
    os.environ.update(program["variables"])
    try:
        exec(compile(program["code"], program["at"], "exec"), {})
        ends[program["at"]] = "ok"
    except Exception:
        ends[program["at"]] = traceback.format_exc()
print("\\n" + json.dumps(ends), file=sys.stderr)
`

export async function runPythonPrograms(programs: readonly Program[]): Promise<Ends> {
  const found = (await findPython()) ?? 'python3'
  return await endsOf(found, ['-c', pythonRunner], programs)
}

async function endsOf(file: string, words: readonly string[], programs: readonly object[]) {
  const env = { ...process.env, PYTHONPATH: path.join(pythonFolder, 'src') }
  const { stderr } = await execute(file, [...words, JSON.stringify(programs)], { env })
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Ends
}
