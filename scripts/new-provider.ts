// `npm run new-provider ns_tides` writes a provider without actions and lists it in the catalog. Its first action
// follows with `npm run new-action ns_tides/forecast`.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { finishFiles } from './scaffold/finish-files.ts'
import { writeProvider } from './scaffold/write-provider.ts'

const root = path.join(import.meta.dirname, '..')
const catalog = path.join(root, 'src/catalog')
const [service = ''] = process.argv.slice(2)

if (!/^[a-z][a-z0-9_]*$/.test(service)) {
  console.error('Name the provider: npm run new-provider <service>, such as ns_tides.')
  process.exitCode = 1
} else if (existsSync(path.join(catalog, service))) {
  console.error(`${service} exists already.`)
  process.exitCode = 1
} else {
  const files = await writeProvider(catalog, service)
  await finishFiles(files)
  console.log(`
Fill in what stands in angle brackets. Then write its first action:
  npm run new-action ${service}/<action>`)
}
