// Whether a value that an action returns can be what another action takes, by their JSON Schemas, before either runs.
import { hasMembers, membersOf } from '#core/input/members.ts'

type Schema = Readonly<Record<string, unknown>>

/** The JSON types that a value may have. Undefined: any, or the schema does not say. */
export type Types = ReadonlySet<string> | undefined

/** What a schema says about a place in its values. `any`: nothing. */
type Place = readonly Schema[] | 'any'

const alternativesMax = 200

/** The schemas at a path. None: no value of the schema has this place. */
export function placeIn(root: object, path: readonly (string | number)[]): Place {
  const whole = membersOf(root)
  let place: Place = alternativesOf(whole, whole)
  for (const part of path) {
    if (place === 'any') return 'any'
    place = together(place.map((schema) => memberOf(schema, String(part), whole)))
    if (place === 'any') return 'any'
    if (place.length > alternativesMax) return 'any'
  }
  return place
}

/**
 * The fields that values of an object schema are said to have. Undefined where its fields are free: it names none, or
 * says what others look like.
 */
export function namedFields(root: object): readonly string[] | undefined {
  const forms = placeIn(root, [])
  if (forms === 'any' || forms.length === 0) return undefined
  const named = forms.map(({ properties = {}, additionalProperties: others = {} }) => {
    const isFree = typeof others === 'object' && Object.keys(membersOf(others)).length > 0
    return isFree ? [] : Object.keys(membersOf(properties))
  })
  return named.some((names) => names.length === 0) ? undefined : [...new Set(named.flat())]
}

export const isNowhere = (place: Place): boolean => place !== 'any' && place.length === 0

/** The types of the values at this place. */
export function typesAt(place: Place): Types {
  if (place === 'any') return undefined
  const types = place.map(typesOf)
  return types.includes(undefined) ? undefined : new Set(types.flatMap((some) => [...(some ?? [])]))
}

/** Whether some value of the one kind is of the other kind, too. */
export function canBe(given: Types, taken: Types): boolean {
  if (given === undefined || taken === undefined) return true
  return [...given].some((type) => taken.has(type))
}

function alternativesOf(schema: unknown, root: Schema, depth = 0): Place {
  if (!hasMembers(schema)) return schema === false ? [] : 'any'
  const { $ref, anyOf, oneOf, allOf } = schema
  if (allOf !== undefined || depth > 20) return 'any'
  if (typeof $ref === 'string') return alternativesOf(referred($ref, root), root, depth + 1)
  const choices = anyOf ?? oneOf
  if (!Array.isArray(choices)) return [schema]
  return together(choices.map((choice) => alternativesOf(choice, root, depth + 1)))
}

function together(places: readonly Place[]): Place {
  const schemas: Schema[] = []
  for (const place of places) {
    if (place === 'any') return 'any'
    schemas.push(...place)
  }
  return schemas
}

function referred($ref: string, root: Schema): unknown {
  if ($ref === '#') return root
  const name = /^#\/\$defs\/(.+)$/.exec($ref)?.[1]
  return name === undefined ? true : membersOf(root.$defs)[name]
}

function memberOf(schema: Schema, name: string, root: Schema): Place {
  const { properties, additionalProperties, items, prefixItems } = schema
  const types = typesOf(schema)
  const isIndex = /^\d+$/.test(name)
  if (types?.has('array') && isIndex)
    return prefixItems === undefined && items !== undefined ? alternativesOf(items, root) : 'any'
  if (types !== undefined && !types.has('object')) return []
  const known = membersOf(properties)
  if (Object.hasOwn(known, name)) return alternativesOf(known[name], root)
  return alternativesOf(additionalProperties ?? true, root)
}

function typesOf(schema: Schema): Types {
  const { type, enum: values, const: value } = schema
  if (typeof type === 'string') return withWhole([type])
  if (Array.isArray(type)) return withWhole(type)
  if (Array.isArray(values)) return new Set(values.map(typeOf))
  return 'const' in schema ? new Set([typeOf(value)]) : undefined
}

/** A number may be whole. */
const withWhole = (types: readonly string[]) =>
  new Set(types.map((type) => (type === 'integer' ? 'number' : type)))

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
