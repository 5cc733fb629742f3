// Inputs that fit a schema, from the schema alone.
import fc from 'fast-check'
import type { JsonSchema } from '#features/selling/described-operation.ts'

const depthMax = 3

/** Not all of them fit: the caller takes those that do. */
export function inputsOf(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  depth = 0,
): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema) => inputsOf(part, definitions, depth + 1)
  if (typeof schema.$ref === 'string') {
    const target = definitions[schema.$ref.slice('#/$defs/'.length)] ?? {}
    return depth > depthMax ? shallow(target) : fc.constant(target).chain(inner)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const { allOf, oneOf, anyOf, ...own } = schema as Record<string, JsonSchema[] | undefined>
  const choice = oneOf ?? anyOf
  const parts = [
    ...(allOf ?? []).map(inner),
    ...(choice ? [fc.constantFrom(...choice).chain(inner)] : []),
  ]
  if (parts.length > 0) {
    const isObject = own.properties !== undefined || own.type !== undefined
    const all = fc.tuple(
      ...parts,
      ...(isObject ? [typed(own as JsonSchema, { inner, depth })] : []),
    )
    return all.map((values) => {
      const records = values.filter(
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      )
      return records.length > 0 ? Object.assign({}, ...records) : values[0]
    })
  }
  return typed(schema, { inner, depth })
}

const shallow = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const types = [schema.type].flat()
  if (types.includes('object') || schema.properties) return fc.constant({})
  return types.includes('array') ? fc.constant([]) : fc.constant('x')
}

interface Making {
  readonly inner: (part: JsonSchema) => fc.Arbitrary<unknown>
  readonly depth: number
}

function typed(schema: JsonSchema, making: Making): fc.Arbitrary<unknown> {
  const types = [schema.type].flat().filter((type) => type !== undefined) as string[]
  if (types.length === 0)
    return schema.properties
      ? objects(schema, making)
      : schema.items
        ? lists(schema, making)
        : anything(schema)
  return fc.oneof(...types.map((type) => ofType(type, schema, making)))
}

/** `minLength` and the like also hold where no type is named. */
const anything = (schema: JsonSchema) =>
  Object.keys(schema).some((key) => /^(?:min|pattern|format)/.test(key))
    ? texts(schema)
    : fc.oneof(fc.string(), fc.integer(), fc.boolean())

function ofType(type: string, schema: JsonSchema, making: Making): fc.Arbitrary<unknown> {
  if (type === 'object') return objects(schema, making)
  if (type === 'array') return lists(schema, making)
  if (type === 'integer' || type === 'number') return numbers(schema, type === 'integer')
  if (type === 'boolean') return fc.boolean()
  return type === 'null' ? fc.constant(null) : texts(schema)
}

function objects(schema: JsonSchema, { inner, depth }: Making): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = (schema.required ?? []) as string[]
  const chosen =
    depth >= depthMax ? properties.filter(([name]) => required.includes(name)) : properties
  const known = Object.fromEntries(chosen.map(([name, part]) => [name, inner(part)]))
  const missing = required.filter((name) => !(name in known)).map((name) => [name, fc.string()])
  const record = fc.record(
    { ...known, ...Object.fromEntries(missing) },
    { requiredKeys: required as never[] },
  )
  const further = schema.additionalProperties
  const least = Number(schema.minProperties ?? 0)
  if (properties.length > 0 || (further === false && least === 0)) return record.map(plain)
  const value =
    typeof further === 'object' && further !== null ? inner(further as JsonSchema) : fc.string()
  return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, {
    minKeys: least,
    maxKeys: least + 2,
    noNullPrototype: true,
  })
}

const plain = (record: object) => ({ ...record })

function lists(schema: JsonSchema, { inner, depth }: Making): fc.Arbitrary<unknown> {
  const least = Number(schema.minItems ?? 0)
  const most = Math.min(Number(schema.maxItems ?? 1_000), least + (depth >= depthMax ? 0 : 3))
  const items = inner((schema.items ?? {}) as JsonSchema)
  if (Array.isArray(schema.prefixItems)) return fc.tuple(...schema.prefixItems.map(inner))
  const length = { minLength: Math.min(least, most), maxLength: most }
  return schema.uniqueItems === true
    ? fc.uniqueArray(items, { ...length, selector: (value) => JSON.stringify(value) })
    : fc.array(items, length)
}

function numbers(schema: JsonSchema, isWhole: boolean): fc.Arbitrary<unknown> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | undefined
  >
  const low = Math.max(minimum ?? -1e9, exclusiveMinimum ?? -1e9)
  const high = Math.max(low, Math.min(maximum ?? low + 1e9, exclusiveMaximum ?? low + 1e9))
  const step = multipleOf ?? 1
  const whole = fc
    .integer({
      min: Math.ceil(low / step),
      max: Math.max(Math.ceil(low / step), Math.floor(high / step)),
    })
    .map((count) => count * step)
  return isWhole || multipleOf !== undefined
    ? whole
    : fc.oneof(whole, fc.double({ min: low, max: high, noNaN: true }))
}

function texts(schema: JsonSchema): fc.Arbitrary<unknown> {
  const minLength = Number(schema.minLength ?? 0)
  const maxLength = Math.min(Number(schema.maxLength ?? minLength + 20), minLength + 60)
  const length = { minLength: Math.min(minLength, maxLength), maxLength }
  const usual = fc.oneof(
    { weight: 3, arbitrary: fc.string(length) },
    { weight: 1, arbitrary: fc.string({ ...length, unit: 'grapheme' }) },
    {
      weight: 1,
      arbitrary: fc
        .stringMatching(/^[\w .,;:/?&=+%#"'<>[\]{}|\\^~-]*$/)
        .map((text) => text.slice(0, maxLength)),
    },
  )
  if (typeof schema.pattern !== 'string') return usual
  try {
    return fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(new RegExp(schema.pattern, 'u')) },
      { weight: 1, arbitrary: usual },
    )
  } catch {
    return usual
  }
}
