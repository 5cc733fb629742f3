// `npm run bench` lists the measurements; `npm run bench paid-calls` runs one.
import { readdir } from 'node:fs/promises'
import path from 'node:path'

const parts = ['llm-load.ts', 'llm-server.ts', 'run.ts', 'load.ts', 'processes.ts', 'server.ts']
const [name] = process.argv.splice(2, 1)
const files = (await readdir(import.meta.dirname)).filter(
  (file) => file.endsWith('.ts') && !parts.includes(file),
)

if (name !== undefined && files.includes(`${name}.ts`))
  await import(path.join(import.meta.dirname, `${name}.ts`))
else
  console.log(
    `npm run bench <name>, where <name> is one of: ${files.map((file) => path.basename(file, '.ts')).join(', ')}`,
  )
