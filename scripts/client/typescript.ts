// The catalog of the TypeScript client. The libraries that write types from JSON Schemas need the JavaScript interface
// of the TypeScript compiler, which TypeScript 7 does not have.

import { errorTable } from '#core/errors.ts'
import type { JsonSchema, KnownAction, KnownRoute } from './catalog.ts'

/** The text of clients/typescript/src/catalog/actions.ts. */
export const typescriptActions = (actions: readonly KnownAction[], note: string): string =>
  `// ${note}

/** Every action by its name: its parameters, its answer, and how it is called. */
export interface Actions {
${actions.map(describeAction).join('\n')}
}
`

function describeAction({ name, text, input, output, isJob, needsMaxCost }: KnownAction): string {
  const members = [
    `input: ${typeOf(input, 4)}`,
    `output: ${typeOf(output, 4)}`,
    ...(isJob ? ['job: true'] : []),
    ...(needsMaxCost ? ['needsMaxCost: true'] : []),
  ]
  return describeMember(name, text, members)
}

/** The text of clients/typescript/src/catalog/routes.ts. */
export const typescriptRoutes = (routes: readonly KnownRoute[], note: string): string =>
  `// ${note}

/** Every route other than actions by its method and path: what is sent, and what is answered. */
export interface Routes {
${routes.map(describeRoute).join('\n')}
}
`

/** The text of clients/typescript/src/catalog/keyed-routes.ts. */
export const typescriptKeyedRoutes = (routes: readonly KnownRoute[], note: string): string =>
  `// ${note}

/** The routes that take an idempotency key. */
export const keyedRoutes: ReadonlySet<string> = new Set([
${routes.flatMap(({ name, isKeyed }) => (isKeyed ? [`  '${name}',`] : [])).join('\n')}
])
`

function describeRoute({ name, text, path, query, body, answer, rows }: KnownRoute): string {
  const members = [
    ...Object.entries({ path, query, body }).flatMap(([part, schema]) =>
      schema === undefined ? [] : [`${part}: ${typeOf(schema, 4)}`],
    ),
    `answer: ${answer === undefined ? 'Blob' : typeOf(answer, 4)}`,
    ...(rows === undefined ? [] : [`rows: '${rows}'`]),
  ]
  return describeMember(name, text, members)
}

const describeMember = (name: string, text: string, members: readonly string[]) =>
  `${comment(text, 2)}  '${name}': {\n    ${members.join('\n    ')}\n  }`

/** The text of clients/typescript/src/catalog/error-codes.ts. */
export function typescriptErrorCodes(note: string): string {
  const lines = Object.entries(errorTable).map(
    ([code, { retryable }]) => `  ${code}: ${retryable},`,
  )
  return `// ${note}

/** The codes of errors, and whether the same call can succeed later. */
export const errorCodes = {
${lines.join('\n')}
} as const
`
}

/**
 * A JSON Schema as a TypeScript type. What TypeScript cannot say (lengths, patterns, ranges) is left to the gateway.
 */
function typeOf(schema: JsonSchema, indent: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map((choice) => typeOf(choice, indent)))
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: string) => typeOf({ ...schema, type }, indent)))
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return listOf(schema.items === undefined ? 'unknown' : typeOf(schema.items, indent))
    case 'object':
      return objectOf(schema, indent)
    default:
      return 'unknown'
  }
}

const union = (types: readonly string[]) =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ')

const listOf = (item: string) => (/ \| /.test(item) ? `(${item})[]` : `${item}[]`)

function objectOf(schema: JsonSchema, indent: number): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const names = Object.keys(properties)
  if (names.length === 0) {
    const rest =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
    return `Record<string, ${additionalProperties === false ? 'never' : rest}>`
  }
  const inner = indent + 2
  const lines = names.map((name) => {
    const property = properties[name] ?? {}
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    const optional = required.includes(name) ? '' : '?'
    return `${comment(property.description, inner)}${' '.repeat(inner)}${key}${optional}: ${typeOf(property, inner)}\n`
  })
  return `{\n${lines.join('')}${' '.repeat(indent)}}`
}

function comment(text: string | undefined, indent: number): string {
  if (text === undefined) return ''
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()
  return `${' '.repeat(indent)}/** ${line} */\n`
}
