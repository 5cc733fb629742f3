// The types of all actions for the TypeScript client, written from the same schemas as the OpenAPI document. The libraries that
// do this need the JavaScript interface of the TypeScript compiler, which TypeScript 7 does not have.

import { type Catalog, type CatalogEntry, inputSchemaOf, outputSchemaOf } from '#core/catalog.ts'
import { ceilingField } from '#core/ceiling.ts'
import { errorTable } from '#core/errors.ts'
import { describePrice } from '#core/price.ts'

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}

/** The text of clients/typescript/src/catalog/actions.ts. */
export function clientActions(catalog: Catalog, note: string): string {
  const entries = catalog.entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(describeEntry)
  return `// ${note}

/** Every action by its name: its parameters, its answer, and how it is called. */
export interface Actions {
${entries.join('\n')}
}
`
}

/** The text of clients/typescript/src/catalog/error-codes.ts. */
export function clientErrorCodes(note: string): string {
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

function describeEntry({ id, action }: CatalogEntry): string {
  const { properties = {}, required = [], ...rest } = inputSchemaOf(action) as JsonSchema
  // The ceiling is an option of the client.
  const { [ceilingField]: _, ...parameters } = properties
  const input = { ...rest, properties: parameters, required }
  const members = [
    `    input: ${typeOf(input, 4)}`,
    `    output: ${typeOf(outputSchemaOf(action) as JsonSchema, 4)}`,
    ...(action.mode === 'job' ? ['    job: true'] : []),
    ...(required.includes(ceilingField) ? ['    needsMaxCost: true'] : []),
  ]
  const price = describePrice(action.price).text
  return `${comment(`${action.summary} Price: ${price}.`, 2)}  '${id}': {\n${members.join('\n')}\n  }`
}

/** A JSON Schema as a TypeScript type. What TypeScript cannot say (lengths, patterns, ranges) is left to the gateway. */
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
