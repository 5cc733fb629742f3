// A description as a server checks requests by it. It is written without the gateway's reader, so that the two do not
// share a mistake.
import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export type Part = UntypedJson

export interface StrictDocument {
  readonly value: Part
  readonly isSwagger: boolean
  /** A part behind its references. */
  resolve(part: Part): Part
  /** Why a value does not fit a schema of the document, or undefined. */
  misfit(schema: Part, value: unknown): string | undefined
}

export function openDocument(written: unknown): StrictDocument {
  const value: Part = structuredClone(written)
  const isSwagger = value.swagger !== undefined
  const is31 = /^3\.1/.test(value.openapi ?? '')
  const resolve = (part: Part): Part => {
    let current = part
    for (let hops = 0; typeof current?.$ref === 'string' && hops < 20; hops++) {
      const keys = current.$ref.slice(1).split('/').slice(1).map(decodeKey)
      current = keys.reduce((place: Part, key: string) => resolve(place)?.[key], value)
    }
    return current
  }
  mend(value, { resolve, is31, seen: new Set() })
  const options = {
    strict: false,
    validateSchema: false,
    validateFormats: false,
    logger: false,
  } as const
  const ajv = is31 ? new Ajv2020(options) : new Ajv(options)
  const places = new Map<object, string>()
  findPlaces(value, '', places)
  ajv.addSchema(value, 'document')
  const compiled = new Map<string, ValidateFunction>()
  return {
    value,
    isSwagger,
    resolve,
    misfit(schema, given) {
      if (schema === undefined || schema === true) return undefined
      const place = places.get(schema)
      if (place === undefined) throw new Error('A schema is not part of the document.')
      const validate = compiled.get(place) ?? ajv.compile({ $ref: `document#${place}` })
      compiled.set(place, validate)
      if (validate(given)) return undefined
      return ajv.errorsText(validate.errors).slice(0, 300)
    },
  }
}

const decodeKey = (key: string) =>
  decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
const encodeKey = (key: string) =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

function findPlaces(part: Part, place: string, places: Map<object, string>): void {
  if (typeof part !== 'object' || part === null || places.has(part)) return
  places.set(part, place)
  for (const [key, child] of Object.entries(part))
    findPlaces(child, `${place}/${encodeKey(key)}`, places)
}

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
/** Their keys are names, not keywords. */
const maps = [
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'schemas',
  'dependentSchemas',
]
const shown = ['example', 'examples', 'x-examples', 'x-example', '$id']
const examples = [...shown, 'default', 'enum', 'const', 'mapping']

interface Mending {
  readonly resolve: (part: Part) => Part
  readonly is31: boolean
  readonly seen: Set<unknown>
}

/** What validators of requests leave out, because it says nothing or cannot be read, and what requests do not have. */
function mend(part: Part, mending: Mending): void {
  if (typeof part !== 'object' || part === null || mending.seen.has(part)) return
  mending.seen.add(part)
  for (const [key, child] of Object.entries<Part>(part)) {
    if (shown.includes(key) && !Array.isArray(part)) delete part[key]
    if (examples.includes(key)) continue
    if (maps.includes(key) && typeof child === 'object' && child !== null && !Array.isArray(child))
      for (const named of Object.values(child)) mend(named, mending)
    else mend(child, mending)
  }
  if (Array.isArray(part)) return
  if (typeof part.$ref === 'string' && !mending.is31)
    for (const key of Object.keys(part)) if (key !== '$ref') delete part[key]
  mendKeywords(part, mending)
  closeReadOnly(part, mending)
}

function mendKeywords(part: Part, { is31 }: Mending): void {
  if (part.id !== undefined && typeof part.id !== 'object') delete part.id
  if (typeof part.required === 'boolean' && part.content === undefined) {
    part['x-required'] = part.required
    delete part.required
  } else if (typeof part.required === 'boolean' && part.in !== undefined)
    part['x-required'] = part.required
  for (const limit of ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'])
    if (typeof part[limit] === 'string') part[limit] = Number(part[limit])
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof part[flag] !== 'boolean') continue
    if (part[flag] && typeof part[limit] === 'number') {
      part[flag] = part[limit]
      delete part[limit]
    } else delete part[flag]
  }
  if (typeof part.pattern === 'string' && !isPattern(part.pattern)) delete part.pattern
  // Such a pattern can keep a validator busy for ever, so servers have none.
  if (typeof part.pattern === 'string' && /\)(?:[*+]|\{\d+,\})/.test(part.pattern))
    delete part.pattern
  const types = [part.type].flat()
  if (typeof part.type === 'string' && part.in === undefined && !jsonTypes.includes(part.type))
    delete part.type
  if (part.in !== undefined && part.type !== undefined && !jsonTypes.includes(part.type))
    delete part.type
  const isNullable = part.nullable === true || part['x-nullable'] === true
  if (part.nullable !== undefined) delete part.nullable
  if (isNullable && types.length === 1 && jsonTypes.includes(types[0]))
    part.type = [types[0], 'null']
  if (
    Array.isArray(part.enum) &&
    part.type === 'string' &&
    !part.enum.some((value: unknown) => typeof value === 'string')
  )
    part.enum = part.enum.map((value: unknown) => (value === null ? value : String(value)))
  if (is31 && Array.isArray(part.items)) {
    part.prefixItems = part.items
    delete part.items
  }
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

/** A request does not have what is only in answers. */
function closeReadOnly(part: Part, { resolve }: Mending): void {
  const properties = part.properties
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return
  for (const [name, schema] of Object.entries<Part>(properties)) {
    if (resolve(schema)?.readOnly !== true) continue
    properties[name] = { not: {}, readOnly: true }
    if (Array.isArray(part.required))
      part.required = part.required.filter((each: unknown) => each !== name)
  }
}
