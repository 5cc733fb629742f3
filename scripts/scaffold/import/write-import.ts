// Writes an exported import as a provider of the catalog, with an action for each of its operations.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { DescribedSecurity } from '#features/selling/described-operation.ts'
import { securityOf } from '#features/selling/provider.ts'
import type { SoldApi } from '#features/selling/sold-api.ts'
import { addImport, addToList } from '../source-text.ts'
import { writeProvider } from '../write-provider.ts'
import {
  actionOfOperation,
  type UnwrittenOperation,
  type WrittenAction,
} from './action-of-operation.ts'
import { oneLine, quote, templateText } from './zod-text.ts'

export interface WrittenImport {
  readonly files: readonly string[]
  readonly leftOut: readonly UnwrittenOperation[]
}

/** Refuses an existing provider. Throws an Error with a sentence for an import that does not become source. */
export async function writeImport(
  catalog: string,
  service: string,
  sold: SoldApi,
): Promise<WrittenImport> {
  if (sold.kind !== 'openapi')
    throw new Error(
      `${sold.name} is ${sold.kind === 'mcp' ? 'an MCP server' : 'an endpoint without a description'}. Only an API with a description becomes source.`,
    )
  const server = serverOf(sold)
  const security = securityOf(sold)
  const attachedQuery =
    security !== 'none' && security.kind === 'query'
      ? { [security.name ?? 'key']: `${security.prefix ?? ''}test-key` }
      : {}
  const read = sold.api.operations.map((operation) =>
    actionOfOperation(sold, operation, { server, attachedQuery }),
  )
  const actions = read.filter((each): each is WrittenAction => 'text' in each)
  if (actions.length === 0) throw new Error('None of its operations becomes an action.')
  const [providerFile = '', ...listFiles] = await writeProvider(catalog, service)
  const folder = path.dirname(providerFile)
  await mkdir(path.join(folder, 'fixtures'), { recursive: true })
  const written: string[] = []
  for (const { name, text, fixture } of actions) {
    const files = [path.join(folder, `${name}.ts`), path.join(folder, 'fixtures', `${name}.json`)]
    await writeFile(files[0] ?? '', text, { flag: 'wx' })
    await writeFile(files[1] ?? '', `${JSON.stringify(fixture, null, 2)}\n`, { flag: 'wx' })
    written.push(...files)
  }
  const empty = describeProvider(await readFile(providerFile, 'utf8'), sold, { server, security })
  const filled = actions.reduce(
    (text, { name, exportName }) =>
      addImport(addToList(text, 'actions: [', exportName), exportName, `./${name}.ts`),
    empty,
  )
  await writeFile(providerFile, filled)
  return {
    files: [providerFile, ...listFiles, ...written],
    leftOut: read.filter((each): each is UnwrittenOperation => 'why' in each),
  }
}

/** The address of most operations. */
function serverOf({ api, server, address }: SoldApi): string {
  if (server !== undefined) return server
  const counts = Map.groupBy(api.operations, (operation) => operation.server)
  const [most] = [...counts].toSorted(([, one], [, other]) => other.length - one.length)
  return most?.[0] ?? new URL(address).origin
}

function describeProvider(
  text: string,
  { api, address, name }: SoldApi,
  { server, security }: { server: string; security: DescribedSecurity },
): string {
  return text
    .replace(/title: .*,/, `title: ${quote(oneLine(api.title) || name)},`)
    .replace(/docs: .*,/, `docs: ${quote(address)},`)
    .replace(/baseUrl: .*,/, `baseUrl: ${quote(server)},`)
    .replace(/ *credential: .*,\n/, credentialText(security))
}

function credentialText(security: DescribedSecurity): string {
  if (security === 'none') return ''
  const { kind, name = 'key' } = security
  const prefix = templateText(security.prefix ?? '')
  const value = prefix === '' ? 'key' : `\`${prefix}\${key}\``
  const attached = {
    bearer: `headers: { authorization: \`Bearer \${key}\` }`,
    basic: `headers: { authorization: \`Basic \${Buffer.from(key).toString('base64')}\` }`,
    header: `headers: { ${quote(name.toLowerCase())}: ${value} }`,
    query: `query: { ${quote(name)}: ${value} }`,
    cookie: `headers: { cookie: \`${templateText(name)}=${prefix}\${key}\` }`,
    env: '',
  }[kind]
  const form = kind === 'basic' ? `form: 'user:password', ` : ''
  return `    credential: { ${form}attach: (key) => ({ ${attached} }) },\n`
}
