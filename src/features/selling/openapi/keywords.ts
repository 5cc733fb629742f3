// The keywords of one schema, brought from the dialects of Swagger 2.0, OpenAPI 3.0 and 3.1 into JSON Schema 2020-12.
// What is written wrongly, such as a limit that is not a number, is left out: validators refuse a schema that has it.
import { readPattern } from './patterns.ts'
import { isObject, type PlainObject } from './place.ts'
import { shownText } from './text.ts'

/** The version of a description decides how its schemas are read. */
export type Dialect = 'swagger-2.0' | 'openapi-3.0' | 'openapi-3.1'

/** A request may have what a reader of answers would not expect, and the other way round. */
export type SchemaUse = 'input' | 'output'

const exampleCharactersMax = 2_000
const typeNames = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
/** What descriptions write instead. */
const usualTypeNames = new Map(
  Object.entries({
    int: 'integer',
    int32: 'integer',
    int64: 'integer',
    long: 'integer',
    float: 'number',
    double: 'number',
    decimal: 'number',
    bool: 'boolean',
    file: 'string',
    binary: 'string',
    date: 'string',
    datetime: 'string',
    'date-time': 'string',
    uuid: 'string',
    enum: 'string',
    list: 'array',
    map: 'object',
  }),
)

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: unknown): value is string => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)

/** Keywords without schemas in them that mean the same everywhere, and what their values must be. */
const plainKeywords: Record<string, (value: unknown) => boolean> = {
  title: isText,
  description: isText,
  format: isText,
  contentEncoding: isText,
  contentMediaType: isText,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  maximum: isNumber,
  minimum: isNumber,
  exclusiveMaximum: isNumber,
  exclusiveMinimum: isNumber,
  maxLength: isCount,
  minLength: isCount,
  maxItems: isCount,
  minItems: isCount,
  maxProperties: isCount,
  minProperties: isCount,
  minContains: isCount,
  maxContains: isCount,
  uniqueItems: isFlag,
  deprecated: isFlag,
  default: (value) => value !== undefined && isShort(value),
  const: (value) => value !== undefined,
  dependentRequired: isObject,
}

const isProse: ReadonlySet<string> = new Set(['title', 'description'])

/** Everything but the schemas in the schema. `hidden`: properties that this use does not have. */
export function plainPart(
  schema: PlainObject,
  use: SchemaUse,
  hidden: ReadonlySet<string>,
): Record<string, unknown> {
  const part: Record<string, unknown> = {}
  for (const [keyword, fits] of Object.entries(plainKeywords)) {
    const value = isText(schema[keyword]) ? unquoted(keyword, schema[keyword]) : schema[keyword]
    if (fits(value))
      part[keyword] = isText(value) && isProse.has(keyword) ? shownText(value) : value
  }
  if (schema.type === 'file') part.format = 'binary'
  Object.assign(part, exclusiveLimits(schema), examplesOf(schema), readPattern(schema.pattern))
  const required = Array.isArray(schema.required) ? schema.required.filter(isText) : []
  const names = [...new Set(required)].filter((name) => !hidden.has(name))
  if (names.length > 0) part.required = names
  const types = typesOf(schema.type)
  if (types.length > 0) part.type = types.length === 1 ? types[0] : types
  const values = enumOf(schema.enum, types)
  if (values) part.enum = values
  return allowNull(schema, part, use)
}

/** Numbers are sometimes written as texts. */
function unquoted(keyword: string, value: unknown): unknown {
  const isNumeric =
    /^(?:min|max|exclusive|multiple)/.test(keyword) && /^-?\d+(?:\.\d+)?$/.test(String(value))
  return isNumeric ? Number(value) : value
}

/** In 2.0 and 3.0 they are flags beside the limit. */
function exclusiveLimits({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: PlainObject) {
  return {
    ...(exclusiveMinimum === true &&
      isNumber(minimum) && { exclusiveMinimum: minimum, minimum: undefined }),
    ...(exclusiveMaximum === true &&
      isNumber(maximum) && { exclusiveMaximum: maximum, maximum: undefined }),
  }
}

function examplesOf({ example, examples }: PlainObject) {
  const given = [
    ...(Array.isArray(examples) ? examples : []),
    ...(example === undefined ? [] : [example]),
  ]
  const short = given.filter((value) => value !== undefined && isShort(value))
  return short.length > 0 ? { examples: short.slice(0, 3) } : {}
}

function isShort(value: unknown): boolean {
  try {
    return (JSON.stringify(value)?.length ?? 0) <= exampleCharactersMax
  } catch {
    // An alias of YAML that leads into itself.
    return false
  }
}

function typesOf(type: unknown): string[] {
  const given = Array.isArray(type) ? type : [type]
  const known = given.flatMap((name) => {
    const lower = String(name).toLowerCase()
    const own = typeNames.has(lower) ? lower : usualTypeNames.get(lower)
    return own === undefined ? [] : [own]
  })
  // A type that says nothing makes the others useless.
  return known.length === given.length ? [...new Set(known)] : []
}

/** YAML reads `no` and `1` without quotes as other types than the schema says. */
function enumOf(values: unknown, types: readonly string[]): unknown[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  const isOnlyText = types.length === 1 && types[0] === 'string'
  const written =
    isOnlyText && !values.some(isText)
      ? values.map((value) => (value === null ? value : String(value)))
      : values
  return [...new Map(written.map((value) => [JSON.stringify(value), value])).values()]
}

/**
 * In 3.0 `nullable` needs a type beside it, and an enum must list null. Vendors mean it without both, so answers may be
 * null, and requests only where every reader agrees.
 */
function allowNull(
  schema: PlainObject,
  part: Record<string, unknown>,
  use: SchemaUse,
): Record<string, unknown> {
  if (schema.nullable !== true && schema['x-nullable'] !== true) return part
  if (typeof part.type === 'string' && part.type !== 'null') part.type = [part.type, 'null']
  if (use === 'output' && Array.isArray(part.enum) && !part.enum.includes(null))
    part.enum = [...part.enum, null]
  return part
}

/** Whether `nullable` could not be said by a type. */
export const isNullableOtherwise = (schema: PlainObject, use: SchemaUse): boolean =>
  use === 'output' &&
  (schema.nullable === true || schema['x-nullable'] === true) &&
  typesOf(schema.type).length === 0

/** What the property of a discriminator may say, in a sentence. */
export function discriminatorText({ discriminator }: PlainObject): string | undefined {
  if (typeof discriminator === 'string') return `The field ${discriminator} names the kind.`
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return undefined
  const kinds = isObject(discriminator.mapping) ? Object.keys(discriminator.mapping) : []
  const list = kinds.length > 0 && kinds.length <= 30 ? `: ${kinds.join(', ')}` : ''
  return `The field ${discriminator.propertyName} names the kind${list}.`
}
