// The addresses of the gateway besides its actions, as documents: one for each group, made from the routes.
import { z } from '#core/action.ts'
import type { RouteDefinition } from '../doors/route.ts'
import { plain, table } from './markdown.ts'

interface Group {
  /** The last part of its address. */
  readonly name: string
  readonly title: string
  /** Whether a path belongs to it. The first group that takes a path has it. */
  readonly takes: RegExp
}

const groups: readonly Group[] = [
  {
    name: 'account',
    title: 'Account and transactions',
    takes: /^\/api\/v1\/(account|agents|transactions|usage|topups)|^\/claim/,
  },
  { name: 'keys', title: 'Keys', takes: /^\/api\/v1\/keys/ },
  {
    name: 'calls',
    title: 'Catalog, calls and jobs',
    takes: /^\/api\/(run|jobs|catalog|v1\/jobs)|^\/read\//,
  },
  { name: 'sessions', title: 'Sessions and browsers', takes: /^\/api\/(browsers|v1\/sessions)/ },
  { name: 'models', title: 'Language models', takes: /^\/api\/llm/ },
  { name: 'files', title: 'Files and repositories', takes: /^\/(api\/files|git)\// },
  { name: 'sign-in', title: 'Signing in', takes: /^\/(sign-in|api\/v1\/(sign-in|passkeys))/ },
  { name: 'oauth', title: 'OAuth', takes: /^\/(oauth|\.well-known)\// },
  { name: 'selling', title: 'Sold APIs', takes: /^\/sell\// },
  { name: 'gateway', title: 'The gateway', takes: /^\// },
]

export const apiPageNames: readonly string[] = ['api', ...groups.map(({ name }) => `api/${name}`)]

/** The documents by their paths below /docs/: `api`, `api/keys`. */
export function createApiPages(
  routes: readonly RouteDefinition[],
): (name: string) => string | undefined {
  const routesOf = Map.groupBy(
    routes,
    ({ path }) => groups.find(({ takes }) => takes.test(path))?.name,
  )
  return (name) => {
    if (name === 'api') return overview(routesOf)
    const group = groups.find((each) => `api/${each.name}` === name)
    if (group === undefined) return undefined
    const described = (routesOf.get(group.name) ?? []).map(describe)
    return `# API: ${group.title}\n\n${described.join('\n\n')}\n`
  }
}

const pathsShownMax = 4

function overview(routesOf: ReadonlyMap<string | undefined, readonly RouteDefinition[]>): string {
  const lines = groups.map(({ name, title }) => {
    const paths = [...new Set((routesOf.get(name) ?? []).map(({ path }) => `\`${path}\``))]
    const more = paths.length > pathsShownMax ? ' …' : ''
    return `- [${title}](/docs/api/${name}): ${paths.slice(0, pathsShownMax).join(', ')}${more}`
  })
  return `# API

Every action is called at \`POST /api/run/{service}/{action}\`: [all actions](/docs/actions). The other addresses of this gateway are:

${lines.join('\n')}

Programs read the same as [OpenAPI](/openapi.json). An API key is sent as \`Authorization: Bearer …\`. Every error has a [code](/docs/reference/errors).
`
}

const callers = {
  payer: 'Needs an API key, or a payment.',
  account: 'Needs an API key.',
  owner: 'Needs an API key, or a wallet that proves itself.',
  manager: 'Needs an unlimited API key.',
  operator: 'Needs the admin token.',
} as const

function describe(route: RouteDefinition): string {
  const { method, path, who, summary, query, body, once, answer, type, errors = [] } = route
  const notes = [
    who === undefined ? 'Needs no key.' : callers[who],
    once === undefined ? '' : 'An `Idempotency-Key` makes it repeatable.',
    type === undefined ? '' : `Answers with \`${type}\`.`,
  ]
  const codes = errors.map((code) => `[${code}](/docs/errors/${code})`)
  return [
    `## ${method.toUpperCase()} ${path}`,
    plain(summary),
    notes.filter(Boolean).join(' '),
    fieldsOf('Query', query),
    fieldsOf('Body', body),
    fieldsOf('Answer', answer),
    codes.length === 0 ? '' : `Errors: ${codes.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Fields of fields are listed too, down to this depth. */
const depthMax = 3

function fieldsOf(title: string, schema: z.ZodType | object | undefined): string {
  if (schema === undefined) return ''
  const json: Schema =
    schema instanceof z.ZodType ? (z.toJSONSchema(schema, { io: 'input' }) as Schema) : schema
  const rows = rowsOf(json, '', depthMax)
  if (rows.length === 0) return ''
  const hasMeaning = rows.some(([, , meaning]) => meaning !== '')
  const head = ['Field', 'Type', 'What it is'].slice(0, hasMeaning ? 3 : 2)
  return `${title}:\n\n${table(
    head,
    rows.map((row) => row.slice(0, head.length)),
  )}`
}

function rowsOf(schema: Schema, prefix: string, depth: number): string[][] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = field.items ?? field
    const shown = plain(`${prefix}${name}${field.items === undefined ? '' : '[]'}`)
    const isRequired = prefix === '' && required.includes(name)
    const row = [
      isRequired ? `**${shown}**` : shown,
      plain(typeOf(field)),
      plain(field.description ?? ''),
    ]
    const more =
      depth > 1
        ? rowsOf(inner, `${prefix}${name}${field.items === undefined ? '.' : '[].'}`, depth - 1)
        : []
    return [row, ...more]
  })
}

function typeOf({ type, enum: values, items }: Schema): string {
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ')
  if (items !== undefined)
    return `list of ${items.type === undefined ? 'values' : [items.type].flat().join(' or ')}`
  return type === undefined ? '' : [type].flat().join(' or ')
}
