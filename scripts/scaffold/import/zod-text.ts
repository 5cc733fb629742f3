// A JSON Schema as the Zod code that says the same.
import type { JsonSchema } from '#features/selling/described-operation.ts'

export interface ZodTerms {
  readonly resolve: (reference: string) => JsonSchema | undefined
  /** `input`: closed, with every limit. `output`: open, and only as deep as callers are promised. */
  readonly side: 'input' | 'output'
  /** Fields that may still be written: an action is a small file. What is left out of an output passes all the same. */
  readonly fields: { left: number }
  /** References that lead here: a schema may contain itself. */
  readonly followed?: readonly string[]
}

const depthMax = 4
const anything = 'z.unknown()'
/** A string as the formatter writes it is left to the formatter. */
export const quote = (value: unknown): string => JSON.stringify(value)

export function zodText(schema: unknown, terms: ZodTerms, depth = 0): string {
  if (typeof schema !== 'object' || schema === null || depth > depthMax) return anything
  const own = schema as JsonSchema
  if (typeof own.$ref === 'string') {
    const { followed = [] } = terms
    if (followed.includes(own.$ref)) return anything
    const next = { ...terms, followed: [...followed, own.$ref] }
    return zodText(terms.resolve(own.$ref), next, depth)
  }
  if (own.const !== undefined) return literal(own.const)
  if (Array.isArray(own.enum)) return enumText(own.enum)
  const branches = (own.anyOf ?? own.oneOf) as readonly unknown[] | undefined
  if (branches !== undefined) return unionText(branches, terms, depth)
  if (own.allOf !== undefined) return anything
  const types = [own.type].flat().filter((type) => type !== undefined)
  const isNullable = types.includes('null')
  const named = types.filter((type) => type !== 'null')
  const texts = named.map((type) => typedText(String(type), own, terms, depth))
  const text = texts.length === 0 && own.properties ? objectText(own, terms, depth) : union(texts)
  return isNullable ? `${text}.nullable()` : text
}

const literal = (value: unknown) =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)
    ? `z.literal(${quote(value)})`
    : anything

function enumText(values: readonly unknown[]): string {
  if (values.length > 0 && values.every((value) => typeof value === 'string'))
    return `z.enum(${quote(values)})`
  return union(values.map(literal))
}

function unionText(branches: readonly unknown[], terms: ZodTerms, depth: number): string {
  const isNull = (branch: unknown) => (branch as JsonSchema | null)?.type === 'null'
  const text = union(
    branches.filter((branch) => !isNull(branch)).map((branch) => zodText(branch, terms, depth + 1)),
  )
  return branches.some(isNull) ? `${text}.nullable()` : text
}

function union(texts: readonly string[]): string {
  const [first, ...more] = [...new Set(texts)]
  if (first === undefined || texts.includes(anything)) return anything
  return more.length === 0 ? first : `z.union([${[first, ...more].join(', ')}])`
}

function typedText(type: string, schema: JsonSchema, terms: ZodTerms, depth: number): string {
  if (type === 'string')
    return `z.string()${limits(schema, terms, 'minLength', 'maxLength')}${pattern(schema, terms)}`
  if (type === 'integer') return `z.int()${limits(schema, terms, 'minimum', 'maximum')}`
  if (type === 'number') return `z.number()${limits(schema, terms, 'minimum', 'maximum')}`
  if (type === 'boolean') return 'z.boolean()'
  if (type === 'array')
    return `z.array(${zodText(schema.items, terms, depth + 1)})${limits(schema, terms, 'minItems', 'maxItems')}`
  return type === 'object' ? objectText(schema, terms, depth) : anything
}

/** A vendor's answer is not refused for its size. */
function limits(schema: JsonSchema, { side }: ZodTerms, least: string, most: string): string {
  if (side === 'output') return ''
  const write = (name: string, value: unknown) =>
    typeof value === 'number' ? `.${name}(${value})` : ''
  return write('min', schema[least]) + write('max', schema[most])
}

function pattern({ pattern: text }: JsonSchema, { side }: ZodTerms): string {
  if (side === 'output' || typeof text !== 'string') return ''
  try {
    return `.regex(/${new RegExp(text, 'u').source}/u)`
  } catch {
    return ''
  }
}

export function objectText(schema: JsonSchema, terms: ZodTerms, depth: number): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, unknown>)
  if (properties.length === 0) return 'z.record(z.string(), z.unknown())'
  if (terms.side === 'output' && depth >= depthMax) return 'z.looseObject({})'
  const required = new Set((schema.required ?? []) as readonly string[])
  const isStrict = terms.side === 'input' && (depth === 0 || schema.additionalProperties === false)
  const fields = properties.flatMap(([name, each]) => {
    if (terms.side === 'output' && terms.fields.left <= 0) return []
    terms.fields.left -= 1
    const optional = terms.side === 'input' ? '.optional()' : '.nullish()'
    const own = zodText(each, terms, depth + 1)
    const bare = terms.side === 'output' ? own.replace(/\.nullable\(\)$/, '') : own
    const text = required.has(name) ? own : bare + optional
    return [`${quote(name)}: ${text}${describe(each, terms, depth)}`]
  })
  return `z.${isStrict ? 'strictObject' : 'looseObject'}({ ${fields.join(', ')} })`
}

const describedMax = 200

function describe(schema: unknown, { side }: ZodTerms, depth: number): string {
  const { description, title } = (schema ?? {}) as { description?: unknown; title?: unknown }
  const [text] = [description, title].filter((each) => typeof each === 'string')
  const said = oneLine(text ?? '').slice(0, describedMax)
  if (said === '') return side === 'input' && depth === 0 ? `.describe('<What it means.>')` : ''
  return `.describe(${quote(/[.!?]$/.test(said) ? said : `${said}.`)})`
}

/** What stands between backticks as it is. */
export const templateText = (text: string) => text.replaceAll(/[`\\]|\$(?=\{)/g, String.raw`\$&`)

export const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
