// Writes docs/reference, docs/use/command.md, .env.example, SKILL.md, server.json, the types of the clients, the
// version of the SQL functions and the vectors of discover from the code. With --check, writes nothing and fails if a
// file is stale.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Action, z } from '#core/action.ts'
import { chooseProbe } from '#core/canaries/probe.ts'
import { shapeOf } from '#core/canaries/shape.ts'
import type { Catalog } from '#core/catalog.ts'
import { errorTable } from '#core/errors.ts'
import { describePrice } from '#core/pricing/describe-price.ts'
import { baseUrlName, credentialNames, type Provider } from '#core/provider.ts'
import { readTexts, readUnserved } from '#features/knowledge/discover/texts.ts'
import { tableOfVectors, vectorsFile } from '#features/knowledge/discover/vectors.ts'
import { assemblerPage } from '#features/studio/films/reference.ts'
import { readFunctions } from '#platform/database/schema.ts'
import { answersFile } from '#surfaces/docs/answers.ts'
import { roleOf } from '#surfaces/doors/route.ts'
import { operatorRoutes } from '#surfaces/openapi/operator-routes.ts'
import { withWholeCatalog } from '#test/catalog/whole-catalog.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { schema } from '../src/app/schema.ts'
import { settings } from '../src/config.ts'
import { serverJson } from './agents/server-json.ts'
import { skillPage } from './agents/skill-page.ts'
import { describeClients, generatedNote as note, writeClientTypes } from './client/files.ts'
import { commandPage } from './command-page.ts'

const root = path.join(import.meta.dirname, '..')
const functionsFile = 'src/app/schema-functions.json'
const check = process.argv.includes('--check')

function catalogPage(catalog: Catalog): string {
  const sections = catalog.services.map(({ provider, mode }) => {
    const names = credentialNames(provider)
    const form = provider.upstream?.credential?.form
    const facts = [
      `Without configuration: ${mode}.`,
      names.length === 0
        ? ''
        : `Credential: ${names.map((name) => `\`${name}\``).join(' or ')}${form === undefined ? '' : `, as \`${form}\``}.`,
      provider.upstream === undefined
        ? ''
        : `Address: \`${provider.upstream.baseUrl}\`, or \`${baseUrlName(provider)}\`.`,
      provider.docs === undefined ? '' : `[Documentation](${provider.docs}).`,
    ]
    const rows = provider.actions.map((action) => [
      `\`${provider.id}/${action.name}\``,
      action.summary,
      catalog.find(provider.id, action.name)?.mode ?? mode,
      `${describePrice(action).text}${action.pay === undefined ? '' : ', keyless by MPP only'}`,
      parametersOf(action.input),
      action.unavailable ?? proofOf(provider, action),
    ])
    const actions = table(
      ['Action', 'What it does', 'Mode', 'Price', 'Parameters', 'Proved by'],
      rows,
    )
    return [
      `## ${provider.id}: ${provider.title}`,
      facts.filter(Boolean).join(' '),
      actions,
      ...provider.actions.flatMap(endpointsOf),
    ].join('\n\n')
  })
  return `# Catalog\n\n${note} Required parameters are bold. Mode is that of a gateway without any configuration.\n\n${proofNote}\n\n${sections.join('\n\n')}\n`
}

/** The endpoints of an action that has several, with the parameters of each. */
function endpointsOf({ name, endpoints = [] }: Action): string[] {
  if (endpoints.length === 0) return []
  const rows = endpoints.map((row) => [
    `\`${row.endpoint}\``,
    row.unavailable === undefined ? row.summary : `${row.summary} Unavailable: ${row.unavailable}`,
    `${row.price_cents}¢`,
    [...row.required.map((own) => `**${own}**`), ...(row.optional ?? [])].join(', '),
    (row.one_of ?? []).join(', '),
  ])
  const head = [`Endpoint of \`${name}\``, 'What it does', 'Price', 'Parameters', 'One of']
  return [table(head, rows)]
}

const proofNote =
  'Proved by: *recording*, the provider’s real reply is replayed; *reference*, the reply was put together from the provider’s documentation; *document*, a strict server made from an OpenAPI document of the provider takes all that is sent; *own tests*, the action has logic that is tested by itself. No test has a live key. An action that no provider answers yet says why.'

/** How an action is proved, judged by the files in the repository. */
function proofOf(provider: Provider, action: Action): string {
  const { id, tableFolder, upstream } = provider
  const { name, mode } = action
  const at = (file: string) => path.join(root, file)
  const fixture = fixtureOf(provider, action)
  const own = [
    `src/catalog/${id}/${name}.test.ts`,
    `src/catalog/${tableFolder}/lib/actions.test.ts`,
  ]
  return [
    existsSync(at(`test/contract/vendors/${id}.test.ts`)) && 'document',
    existsSync(at(fixture)) && originOf(at(fixture)),
    (upstream === undefined || mode === 'session' || own.some((file) => existsSync(at(file)))) &&
      'own tests',
  ]
    .filter(Boolean)
    .join(', ')
}

const originOf = (fixture: string) =>
  JSON.parse(readFileSync(fixture, 'utf8')).origin === 'recorded' ? 'recording' : 'reference'

/** The answers of the fixtures, for the pages of actions: a line for each, so that a change shows which one it is. */
function recordedAnswers(catalog: Catalog): string {
  const answers = catalog.entries.flatMap(({ id, service, action }) => {
    const file = path.join(root, fixtureOf(service.provider, action))
    if (!existsSync(file)) return []
    const { origin, output } = JSON.parse(readFileSync(file, 'utf8'))
    return output === undefined ? [] : [[id, { origin, output }] as const]
  })
  const lines = answers.map(([id, answer]) => `${JSON.stringify(id)}: ${JSON.stringify(answer)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** The forms of the replies in the fixtures of probes, with which `doctor providers` compares. */
function probedShapes(catalog: Catalog): string {
  const shapes = catalog.services.flatMap(({ provider }) => {
    const probe = provider.upstream === undefined ? undefined : chooseProbe(provider)
    const file = probe && path.join(root, fixtureOf(provider, probe.action))
    if (probe === undefined || file === undefined || !existsSync(file)) return []
    const { exchanges } = JSON.parse(readFileSync(file, 'utf8')) as {
      exchanges: { reply: { body?: unknown; text?: string } }[]
    }
    const bodies = exchanges.map(({ reply }) => reply.text ?? reply.body)
    return [[probe.id, shapeOf(bodies)] as const]
  })
  const lines = shapes.map(([id, shape]) => `${JSON.stringify(id)}: ${JSON.stringify(shape)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

const fixtureOf = ({ id, tableFolder }: Provider, { name }: Action) =>
  `src/catalog/${tableFolder ?? id}/fixtures/${tableFolder ? `${id}.` : ''}${name}.json`

function parametersOf(schema: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  })
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? `**${name}**` : name))
    .join(', ')
}

function errorsPage(): string {
  const rows = Object.entries(errorTable).map(([code, entry]) => [
    `\`${code}\``,
    String(entry.status),
    entry.retryable ? 'yes' : 'no',
    entry.message,
  ])
  return `# Errors\n\n${note} A refused or failed call costs nothing. Messages are often more precise than here.\n\n${table(['Code', 'Status', 'Worth repeating', 'Meaning'], rows)}\n`
}

function configPage(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const { default: fallback, description = '' } = z.toJSONSchema(setting, {
      io: 'input',
      unrepresentable: 'any',
    })
    return [
      `\`${name}\``,
      fallback === undefined || fallback === '' ? '' : `\`${fallback}\``,
      setting.description ?? description,
    ]
  })
  const providersNote =
    'Besides these, each provider takes `<NAMESPACE>_API_KEY` and `<NAMESPACE>_BASE_URL`; see the [catalog](catalog.md).'
  return `# Settings\n\n${note} They are read from the environment and from a \`.env\` file. ${providersNote}\n\n${table(['Variable', 'Default', 'What it does'], rows)}\n`
}

/** Every setting, commented out at its default. */
function environmentExample(): string {
  const lines = Object.entries(settings).map(([name, setting]) => {
    const { default: fallback = '' } = z.toJSONSchema(setting, {
      io: 'input',
      unrepresentable: 'any',
    })
    return `# ${setting.description}\n# ${name}=${fallback}\n`
  })
  return `# Copy to .env and remove the # in front of what you set. Generated by \`npm run generate\`.\n\n${lines.join('\n')}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const vectorsTable = (catalog: Catalog): string =>
  tableOfVectors(new Map([...readTexts(catalog.entries, ownNamespace), ...readUnserved()]))

const reference = 'docs/reference'

/** The least role of each route of the operator that changes something, as far as it is not the usual one. */
function consoleRoles(): string {
  const roles = operatorRoutes
    .filter(({ method }) => method !== 'get')
    .map((route) => [`${route.method.toUpperCase()} ${route.path}`, roleOf(route)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const usual = roleOf({ method: 'post' })
  const others = roles.filter(([, role]) => role !== usual)
  return `// ${note}

export const usualRole = '${usual}'

export const otherRoles: Readonly<Record<string, 'support' | 'owner' | 'viewer' | undefined>> = {
${others.map(([name, role]) => `  '${name}': '${role}',`).join('\n')}
}
`
}

/** The version changes only with the text of the functions. */
async function functionsVersion(): Promise<string> {
  const { sha256 } = await readFunctions(schema.folders)
  const recorded = JSON.parse(await readFile(path.join(root, functionsFile), 'utf8'))
  const version = recorded.sha256 === sha256 ? recorded.version : recorded.version + 1
  return `${JSON.stringify({ version, sha256 }, null, 2)}\n`
}

const { clientTables, clientTypes } = await withWholeCatalog(describeClients)
const pages = {
  [`${reference}/catalog.md`]: await withWholeCatalog(catalogPage),
  [`${reference}/errors.md`]: errorsPage(),
  [`${reference}/config.md`]: configPage(),
  [`${reference}/assembler.md`]: assemblerPage(note, table),
  'docs/use/command.md': commandPage(note, table),
  '.env.example': environmentExample(),
  'SKILL.md': await withWholeCatalog((catalog) => skillPage(catalog, table)),
  'server.json': serverJson(),
  [path.relative(root, fileURLToPath(answersFile))]: await withWholeCatalog(recordedAnswers),
  'src/catalog/reply-forms.json': await withWholeCatalog(probedShapes),
  ...clientTables,
  'console/src/parts/route-roles.ts': consoleRoles(),
  [functionsFile]: await functionsVersion(),
  [path.relative(root, fileURLToPath(vectorsFile))]: await withWholeCatalog(vectorsTable),
}
await mkdir(path.join(root, reference), { recursive: true })
await writeClientTypes(clientTypes)
for (const [name, text] of Object.entries(pages)) {
  const file = path.join(root, name)
  if (!check) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${name} is stale. Run \`npm run generate\` and commit what it wrote.`)
    process.exitCode = 1
  }
}
