// `npm run new-action ns_scholar/venues` writes a new action with its fixture and lists it with its provider, which it
// creates if needed. The tests fail until the texts in angle brackets are filled in.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { finishFiles } from './scaffold/finish-files.ts'
import { writeAction } from './scaffold/write-action.ts'
import { writeProvider } from './scaffold/write-provider.ts'

const root = path.join(import.meta.dirname, '..')
const catalog = path.join(root, 'src/catalog')
const [id = ''] = process.argv.slice(2)
const [, service = '', name = ''] = /^([a-z][a-z0-9_]*)\/([a-z][A-Za-z0-9_-]*)$/.exec(id) ?? []

if (service === '') {
  console.error(
    'Name the action: npm run new-action <service>/<action>, such as ns_scholar/venues.',
  )
  process.exitCode = 1
} else if (existsSync(path.join(catalog, service, `${name}.ts`))) {
  console.error(`${id} exists already.`)
  process.exitCode = 1
} else {
  const isNew = !existsSync(path.join(catalog, service, 'provider.ts'))
  const files = isNew ? await writeProvider(catalog, service) : []
  files.push(...(await writeAction(catalog, service, name)))
  await finishFiles(files)
  console.log(`
Fill in what stands in angle brackets, and add ten phrases to models/discover/phrases.tsv. Then run:
  npx vitest run test/contract/catalog.test.ts -t ${service}`)
}
