// TypeScript types written from JSON Schemas. The libraries that do this need the JavaScript interface of the TypeScript compiler,
// which TypeScript 7 does not have.

export interface JsonSchema {
  readonly $ref?: string
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

/** A JSON Schema as a TypeScript type. What TypeScript cannot say (lengths, patterns, ranges) is left to the gateway. */
export function typeOf(schema: JsonSchema, indent: number): string {
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

export function comment(text: string | undefined, indent: number): string {
  if (text === undefined) return ''
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()
  return `${' '.repeat(indent)}/** ${line} */\n`
}
