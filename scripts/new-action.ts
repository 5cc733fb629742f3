// `npm run new-action ns_scholar/venues`: the files of a new action, and of its provider where that is new, with what
// is left to fill in marked by angle brackets. They do not pass the check until it is filled in.
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const [id = ''] = process.argv.slice(2)
const [service = '', name = ''] = id.split('/')
if (!/^[a-z][a-z0-9_]*$/.test(service) || !/^[a-z][A-Za-z0-9_-]*$/.test(name)) {
  console.error('Say which: npm run new-action <service>/<action>, for example ns_scholar/venues.')
  process.exit(1)
}

const catalog = path.join(import.meta.dirname, '../src/catalog')
const folder = path.join(catalog, service)
const camelCase = (text: string) =>
  text.replace(/[-_]([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
const reserved = new Set([
  'delete',
  'export',
  'import',
  'new',
  'package',
  'public',
  'return',
  'switch',
  'index',
])
const actionExport = reserved.has(name) ? `${camelCase(name)}Action` : camelCase(name)
const providerExport = camelCase(service.replace(/^ns_/, ''))

const action = `import { defineAction, z } from '#core/action.ts'

export const ${actionExport} = defineAction('${name}', {
  summary: '<One sentence with a full stop: what the caller gets.>',
  notes: '<When to use it, and when something else.>',
  synonyms: ['<words that people use>'],
  questions: ['<what people ask when this is the answer>'],
  input: z.strictObject({
    query: z.string().min(1).max(400).describe('<What it means.>'),
  }),
  output: z.looseObject({
    results: z.array(z.looseObject({})),
  }),
  price: { cents: 1 },
  example: { input: { query: '<a call that works>' }, cents: 1 },
  run: ({ input, http }) => http.get('/<path>', { query: { q: input.query } }),
})
`
const fixture = {
  origin: 'docs',
  source: '<where the reply comes from>',
  exchanges: [
    {
      request: { method: 'GET', path: '/<path>', query: { q: '<a call that works>' } },
      reply: { status: 200, body: { results: [] } },
    },
  ],
  output: { results: [] },
}
const provider = `import { defineProvider } from '#core/provider.ts'

export const ${providerExport} = defineProvider({
  id: '${service}',
  title: '<What it is, in a few words>',
  docs: 'https://<the reference>',
  upstream: {
    baseUrl: 'https://<host>',
    credential: { attach: (key) => ({ headers: { authorization: \`Bearer \${key}\` } }) },
  },
  actions: [],
})
`

await mkdir(path.join(folder, 'fixtures'), { recursive: true })
const actionFile = path.join(folder, `${name}.ts`)
if (existsSync(actionFile)) {
  console.error(`${id} exists already.`)
  process.exit(1)
}
await writeFile(actionFile, action)
await writeFile(
  path.join(folder, 'fixtures', `${name}.json`),
  `${JSON.stringify(fixture, null, 2)}\n`,
)

const providerFile = path.join(folder, 'provider.ts')
if (!existsSync(providerFile)) {
  await writeFile(providerFile, provider)
  const listFile = path.join(catalog, 'providers.ts')
  const list = await readFile(listFile, 'utf8')
  const imported = `import { ${providerExport} } from './${service}/provider.ts'\n`
  const listed = list.replace(
    /(Provider\[\] = \[)([^\]]*)/,
    (_match, head: string, names: string) => {
      const sorted = [...names.split(',').map((each) => each.trim()), providerExport]
        .filter(Boolean)
        .sort()
      return `${head}${sorted.join(', ')}`
    },
  )
  await writeFile(listFile, imported + listed)
}
const declared = await readFile(providerFile, 'utf8')
await writeFile(
  providerFile,
  `import { ${actionExport} } from './${name}.ts'\n${declared}`.replace(
    /actions: \[\s*/,
    `actions: [${actionExport}, `,
  ),
)
console.log(
  `Written: src/catalog/${id}.ts, its fixture, and its place in the list. Fill in what stands in angle brackets,`,
)
console.log('then: npm run format && npx vitest run test/contract/catalog.test.ts')
