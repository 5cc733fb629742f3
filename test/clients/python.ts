// Programs in Python that use the client in clients/python.
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

const run = promisify(execFile)
export const pythonFolder = path.join(import.meta.dirname, '../../clients/python')
const needed = ['httpx', 'mypy', 'hatchling']

/** The first Python that has what the client and its tests need. A version manager may hide Debian’s. */
export async function findPython(): Promise<string | undefined> {
  for (const python of ['python3', '/usr/bin/python3']) {
    const found = await run(python, ['-c', `import ${needed.join(', ')}`]).catch(() => undefined)
    if (found !== undefined) return python
  }
  return undefined
}

/** Runs a program with these arguments. Resolves to the JSON that it prints. */
export async function runPython(program: string, ...args: readonly string[]): Promise<UntypedJson> {
  const python = await findPython()
  const env = { ...process.env, PYTHONPATH: path.join(pythonFolder, 'src') }
  const { stdout } = await run(python ?? 'python3', ['-c', program, ...args], { env })
  return JSON.parse(stdout)
}
