// What an answer must fit: as it comes, and as the data that callers get.
import type { JsonSchema } from '../described-operation.ts'
import { followed } from '../rules/followed.ts'
import { jsonType } from './answer.ts'

type Definitions = Readonly<Record<string, JsonSchema>>

/** The description has JSON for this operation, and nothing else. */
export const answersJsonOnly = (
  output: JsonSchema | undefined,
  outputTypes: readonly string[],
): boolean =>
  output !== undefined && outputTypes.length > 0 && outputTypes.every((type) => jsonType.test(type))

const scalars = new Set(['string', 'number', 'integer', 'boolean', 'null'])

/** What the data must fit, for an answer that must fit `output`. Of JSON, a text or a number is its `value`. */
export function dataSchemaOf(
  output: JsonSchema | undefined,
  outputTypes: readonly string[],
  definitions: Definitions,
): JsonSchema | undefined {
  const [type = 'application/json'] = outputTypes
  if (output === undefined) return undefined
  if (!jsonType.test(type)) return outputTypes.some((each) => jsonType.test(each)) ? undefined : {}
  const kinds = [...(kindsOf(output, definitions) ?? [])]
  if (!kinds.some((kind) => scalars.has(kind))) return output
  const wrapped = { type: 'object', properties: { value: output }, required: ['value'] }
  return kinds.every((kind) => scalars.has(kind)) ? wrapped : { anyOf: [output, wrapped] }
}

const depthMax = 10
const objectKeywords = ['properties', 'required', 'additionalProperties', 'patternProperties']

/** The types that a value may have. Undefined: any. */
function kindsOf(
  schema: JsonSchema,
  definitions: Definitions,
  depth = 0,
): ReadonlySet<string> | undefined {
  if (depth > depthMax) return undefined
  const own = followed(schema, definitions)
  const types = [own.type].flat().filter((type) => typeof type === 'string')
  if (types.length > 0) return new Set(types)
  if (own.const !== undefined) return new Set([kindOf(own.const)])
  if (Array.isArray(own.enum)) return new Set(own.enum.map(kindOf))
  const branches = own.anyOf ?? own.oneOf
  if (Array.isArray(branches)) {
    const kinds = branches.map((branch) => kindsOf(branch, definitions, depth + 1))
    return kinds.includes(undefined)
      ? undefined
      : new Set(kinds.flatMap((each) => [...(each ?? [])]))
  }
  if (Array.isArray(own.allOf))
    return own.allOf
      .map((branch) => kindsOf(branch, definitions, depth + 1))
      .find((kinds) => kinds !== undefined)
  return isOfObjects(own) ? new Set(['object', 'array']) : undefined
}

const isOfObjects = (schema: JsonSchema) =>
  objectKeywords.some((keyword) => schema[keyword] !== undefined)

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/**
 * What an answer must fit that is JSON. A description of any content may mean another content by a text, so JSON need
 * not fit it.
 */
export function valueSchemaOf(
  output: JsonSchema | undefined,
  [type = 'application/json']: readonly string[],
  definitions: Definitions,
): JsonSchema {
  if (output === undefined) return {}
  const kinds = kindsOf(output, definitions)
  const meansJson = jsonType.test(type) || (kinds !== undefined && !kinds.has('string'))
  return meansJson ? typed(output, definitions) : {}
}

/** A description that names properties, but no type, means an object: null and texts would fit it by the letter. */
function typed(schema: JsonSchema, definitions: Definitions, depth = 0): JsonSchema {
  if (depth > depthMax || typeof schema !== 'object') return schema
  const own = followed(schema, definitions)
  if ([own.type, own.const, own.enum].some((each) => each !== undefined)) return schema
  if (isOfObjects(own)) return { ...schema, type: ['object', 'array'] }
  const lists = (['anyOf', 'oneOf', 'allOf'] as const).filter((name) => Array.isArray(own[name]))
  if (lists.length === 0) return schema
  const branches = lists.map((name) => [
    name,
    (own[name] as readonly JsonSchema[]).map((branch) => typed(branch, definitions, depth + 1)),
  ])
  return { ...own, ...Object.fromEntries(branches) }
}
