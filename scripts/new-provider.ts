// `npm run new-provider ns_tides` writes a provider without actions and lists it in the catalog. Its first action
// follows with `npm run new-action ns_tides/forecast`. `npm run new-provider ns_tides tides.json` writes what `tollway
// sell export` has exported as source, with its actions.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { finishFiles } from './scaffold/finish-files.ts'
import { writeProvider } from './scaffold/write-provider.ts'

const root = path.join(import.meta.dirname, '..')
const catalog = path.join(root, 'src/catalog')
const [service = '', exported] = process.argv.slice(2)

if (!/^[a-z][a-z0-9_]*$/.test(service)) {
  console.error('Name the provider: npm run new-provider <service>, such as ns_tides.')
  process.exitCode = 1
} else if (existsSync(path.join(catalog, service))) {
  console.error(`${service} exists already.`)
  process.exitCode = 1
} else if (exported !== undefined) {
  await importProvider(exported).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
} else {
  const files = await writeProvider(catalog, service)
  await finishFiles(files)
  console.log(`
Fill in what stands in angle brackets. Then write its first action:
  npm run new-action ${service}/<action>`)
}

async function importProvider(file: string) {
  const { writeImport } = await import('./scaffold/import/write-import.ts')
  const { readSoldApi } = await import('#features/selling/sold-api.ts')
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file} cannot be read. \`tollway sell export NAME > ${file}\` writes it.`)
  })
  const { files, leftOut } = await writeImport(catalog, service, readSoldApi(readJson(file, text)))
  await finishFiles(files)
  for (const { key, why } of leftOut) console.log(`left out ${key}: ${why}`)
  console.log(`
Fill in what stands in angle brackets, and record real replies: npm run record ${service}/<action>. Then go on with
step 3 of a new action in CONTRIBUTING.md.`)
}

function readJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${file} is not JSON. \`tollway sell export NAME > ${file}\` writes it.`)
  }
}
