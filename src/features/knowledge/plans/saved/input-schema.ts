// The JSON Schema of what the callers of a saved plan send. Its author may be a stranger, so it is a part of JSON
// Schema without references, whose size bounds what a check costs.
import { fail } from '#core/errors.ts'
import { hasMembers, membersOf } from '#core/input/members.ts'
import { type SchemaCompiler, schemaCompilerOf } from '#platform/json-schema/json-schema.ts'

type Schema = Readonly<Record<string, unknown>>

const nestingMax = 8
const fieldsMax = 100
const schemaCharactersMax = 20_000
/** The longest text, list and the like that a schema may ask for by itself. */
const patternCharactersMax = 500

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const annotations = ['title', 'description', 'examples', 'format', '$schema']
const bounds = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]
const known = new Set([
  ...['type', 'enum', 'const', 'default', 'pattern', 'uniqueItems', 'anyOf'],
  ...['properties', 'required', 'additionalProperties', 'items'],
  ...annotations,
  ...bounds,
])

const refuse = (at: string, message: string) =>
  fail('bad_request', { message: `input${at} ${message}` })

/** Throws `bad_request`, with the place and what may stand there. */
export function checkInputSchema(schema: Schema): void {
  if (schema.type !== 'object') throw refuse('', 'must have the type "object".')
  if (JSON.stringify(schema).length > schemaCharactersMax)
    throw refuse('', `may have at most ${schemaCharactersMax} characters.`)
  checkSchema(schema, '', { left: fieldsMax }, 0)
  try {
    schemaCompilerOf({}, { formats: true }).compile(schema)
  } catch (thrown) {
    throw refuse('', `is not a JSON Schema: ${thrown instanceof Error ? thrown.message : thrown}.`)
  }
}

function checkSchema(schema: unknown, at: string, fields: { left: number }, depth: number): void {
  if (!hasMembers(schema) || Array.isArray(schema))
    throw refuse(at, 'must be a JSON Schema that is an object.')
  if (depth > nestingMax) throw refuse(at, `is nested more than ${nestingMax} deep.`)
  fields.left -= 1
  if (fields.left < 0) throw refuse(at, `is beyond the ${fieldsMax} schemas that a plan may have.`)
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword))
  if (unknown !== undefined)
    throw refuse(
      at,
      `has the keyword "${unknown.slice(0, 40)}", which plans do not take. They take: ${[...known].join(', ')}.`,
    )
  checkKeywords(schema, at)
  const { properties = {}, items, anyOf = [], additionalProperties: others } = schema
  for (const [name, inner] of Object.entries(membersOf(properties)))
    checkSchema(inner, `.properties.${name.slice(0, 40)}`, fields, depth + 1)
  if (items !== undefined) checkSchema(items, `${at}.items`, fields, depth + 1)
  for (const inner of Array.isArray(anyOf) ? anyOf : [])
    checkSchema(inner, `${at}.anyOf`, fields, depth + 1)
  if (others !== undefined && typeof others !== 'boolean')
    checkSchema(others, `${at}.additionalProperties`, fields, depth + 1)
}

function checkKeywords(schema: Schema, at: string): void {
  const { type, properties, required, enum: values, anyOf, pattern } = schema
  const listed = type === undefined ? [] : [type].flat()
  if (listed.some((each) => typeof each !== 'string' || !types.has(each)))
    throw refuse(at, `has an unknown type. The types are: ${[...types].join(', ')}.`)
  const isObject =
    typeof properties === 'object' && properties !== null && !Array.isArray(properties)
  if (properties !== undefined && !isObject) throw refuse(`${at}.properties`, 'must be an object.')
  if (isObject && Object.keys(properties).some((name) => name === '$step' || name === ''))
    throw refuse(`${at}.properties`, 'has a field "$step" or one without a name.')
  for (const [name, list] of Object.entries({ required, enum: values, anyOf }))
    if (list !== undefined && (!Array.isArray(list) || list.length === 0))
      throw refuse(`${at}.${name}`, 'must be a list that is not empty.')
  if (pattern !== undefined && String(pattern).length > patternCharactersMax)
    throw refuse(`${at}.pattern`, `may have at most ${patternCharactersMax} characters.`)
  const wrong = bounds.find(
    (name) => schema[name] !== undefined && typeof schema[name] !== 'number',
  )
  if (wrong !== undefined) throw refuse(`${at}.${wrong}`, 'must be a number.')
}

/** Compiles when it is first used. What it has compiled goes with the plan. */
export const lazyCompiler: SchemaCompiler = {
  compile: (schema) => schemaCompilerOf({}, { formats: true }).compile(schema),
}

/** What the schema gives its fields by itself. */
export const defaultsOf = ({ properties = {} }: Schema): Schema =>
  Object.fromEntries(
    Object.entries(membersOf(properties)).flatMap(([name, field]) => {
      const { default: usual } = membersOf(field)
      return usual === undefined ? [] : [[name, usual]]
    }),
  )
