import {
  at,
  follow,
  idOf,
  isObject,
  keyOf,
  type PlainObject,
  partsOf,
  type SourceDocuments,
  type SourcePlace,
} from './place.ts'
import { hiddenNames } from './schemas.ts'

export interface FlatProperty {
  readonly name: string
  /** Its schemas: several where branches of `allOf` say something of it. */
  readonly places: readonly SourcePlace[]
  readonly required: boolean
}

/** A schema that has one of these says more than its properties do. */
const furtherRules = [
  ...[
    'oneOf',
    'anyOf',
    'not',
    'if',
    'enum',
    'const',
    'patternProperties',
    'propertyNames',
    'dependentRequired',
  ],
  ...[
    'dependentSchemas',
    'dependencies',
    'minProperties',
    'maxProperties',
    'unevaluatedProperties',
  ],
]
const branchDepthMax = 8

/**
 * The properties of a request's body, if they say all that its schema says; else undefined. What only answers have is
 * left out. Throws a DescriptionProblem for a reference that leads nowhere.
 */
export function flatProperties(
  documents: SourceDocuments,
  schema: SourcePlace,
): FlatProperty[] | undefined {
  const places = new Map<string, SourcePlace[]>()
  const required = new Set<string>()
  const hidden = new Set<string>()
  const seen = new Set<string>()

  function add(place: SourcePlace, depth: number): boolean {
    const target = follow(documents, place)
    const { value } = target
    const id = idOf(target)
    if (!isObject(value) || seen.has(id) || depth > branchDepthMax || !isFlat(value)) return false
    seen.add(id)
    // It would forbid what the other branches say.
    const isBranched = depth > 0 || Array.isArray(value.allOf)
    if (isBranched && value.additionalProperties === false) return false
    for (const name of hiddenNames(documents, target, 'input')) hidden.add(name)
    for (const name of Array.isArray(value.required) ? value.required : [])
      required.add(String(name))
    const properties = isObject(value.properties) ? partsOf(at(target, 'properties')) : []
    for (const part of properties)
      places.set(keyOf(part), [...(places.get(keyOf(part)) ?? []), part])
    return (
      !Array.isArray(value.allOf) ||
      partsOf(at(target, 'allOf')).every((branch) => add(branch, depth + 1))
    )
  }

  if (!add(schema, 0)) return undefined
  const shown = [...places].filter(([name]) => !hidden.has(name) && name !== '')
  // A property that is required and not described needs the whole body.
  const isComplete = [...required].every((name) => hidden.has(name) || places.has(name))
  if (shown.length === 0 || !isComplete) return undefined
  return shown.map(([name, own]) => ({ name, places: own, required: required.has(name) }))
}

function isFlat(schema: PlainObject): boolean {
  const { type, additionalProperties, nullable } = schema
  const isTyped = type === 'object' || type === undefined
  const isClosed = additionalProperties === undefined || additionalProperties === false
  return (
    isTyped &&
    isClosed &&
    nullable !== true &&
    !furtherRules.some((keyword) => schema[keyword] !== undefined)
  )
}
