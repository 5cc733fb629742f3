// `npm run record ns_scholar/works` sends the action's example to the live provider and writes the fixture. With a
// body, `npm run record ns_scholar/works '{"search":"tea"}'`, it prints the fixture with its input and writes nothing.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { providers } from '#catalog/providers.ts'
import { splitId } from '#core/catalog.ts'
import packageJson from '../package.json' with { type: 'json' }
import { readConfig } from '../src/config.ts'
import { recordAction } from './recording/record-action.ts'

const [id = '', text] = process.argv.slice(2)
const ignore = () => {}
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }

try {
  process.loadEnvFile()
} catch {
  // The .env file is optional.
}

try {
  const config = readConfig(process.env)
  const contact = config.OPERATOR_CONTACT
  const { fixture, input } = await recordAction(id, {
    ...(text === undefined ? {} : { input: JSON.parse(text) }),
    variables: config.providerVariables,
    userAgent: `Tollway/${packageJson.version}${contact === undefined ? '' : ` (${contact})`}`,
    log,
  })
  if (text !== undefined) console.log(JSON.stringify({ input, fixture }, null, 2))
  else {
    const file = fixtureOf(id)
    await writeFile(file, `${JSON.stringify(fixture, null, 2)}\n`)
    console.log(`Wrote ${path.relative(process.cwd(), file)}. Read it before you commit it.`)
  }
} catch (thrown) {
  console.error((thrown as Error).message)
  process.exitCode = 1
}

function fixtureOf(action: string): string {
  const [service, name] = splitId(action)
  const { tableFolder } = providers.find((provider) => provider.id === service) ?? {}
  const catalog = path.join(import.meta.dirname, '../src/catalog')
  return tableFolder === undefined
    ? path.join(catalog, service, 'fixtures', `${name}.json`)
    : path.join(catalog, tableFolder, 'fixtures', `${service}.${name}.json`)
}
