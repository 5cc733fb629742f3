// An example input, from what the description shows and else from the schemas.
import type { Json, JsonSchema } from '../described-operation.ts'
import type { Resolve } from './pagination.ts'

const depthMax = 12
const partsMax = 5_000
const nothing: unique symbol = Symbol('no value fits')
type Made = Json | typeof nothing

/** With the fields that are required and those that have an example; `smallest`: the required ones only. */
export function exampleInput(
  input: JsonSchema,
  resolve: Resolve,
  isSmallest: boolean,
): { readonly [name: string]: Json } {
  const required = new Set(input.required ?? [])
  const properties = input.properties ?? {}
  const chosen = Object.entries(properties).filter(
    ([name, schema]) => required.has(name) || (!isSmallest && Array.isArray(schema.examples)),
  )
  const budget = { left: partsMax }
  const made = chosen.map(
    ([name, schema]) => [name, make(schema, { resolve, isSmallest, budget }, 0)] as const,
  )
  return Object.fromEntries(made.filter((pair): pair is [string, Json] => pair[1] !== nothing))
}

interface Making {
  readonly resolve: Resolve
  /** Parts that may still be made: circles through lists and choices have no end that is worth waiting for. */
  readonly budget: { left: number }
  readonly isSmallest: boolean
  /** Another branch of `allOf` may say what a required property is. */
  readonly isBranch?: boolean
}

function make(schema: JsonSchema, making: Making, depth: number): Made {
  if (depth > depthMax || making.budget.left-- <= 0) return nothing
  const shown = shownValue(schema)
  if (shown !== undefined && !(making.isSmallest && schema.examples)) return shown
  if (typeof schema.$ref === 'string') {
    const target = making.resolve(schema.$ref)
    return target ? make(target, making, depth + 1) : null
  }
  const branches = schema.oneOf ?? schema.anyOf
  const parts = [...(schema.allOf ?? [])]
  if (branches) {
    const made = firstOf(branches, (branch) => make(branch, making, depth + 1))
    if (made === nothing) return nothing
    if (!isRecord(made)) return made
    parts.push({ const: made })
  }
  if (parts.length === 0) return makeTyped(schema, making, depth)
  const { allOf: _, oneOf: __, anyOf: ___, ...own } = schema
  const branch = { ...making, isBranch: true }
  const values: Made[] = [
    ...parts.map((part) => make(part, branch, depth + 1)),
    makeTyped(own, branch, depth),
  ]
  const records = values.filter(isRecord)
  if (records.length === 0)
    return values.find((value) => value !== nothing && value !== null) ?? nothing
  const made: Record<string, Json> = Object.assign(Object.create(null), ...records)
  const required = [own, ...parts].flatMap((part) => part.required ?? [])
  for (const name of making.isBranch ? [] : required) {
    if (Object.hasOwn(made, name)) continue
    const value = make(propertyOf(schema, name, making.resolve) ?? {}, making, depth + 1)
    if (value === nothing) return nothing
    made[name] = value
  }
  return made
}

/** What any branch says of a property. */
function propertyOf(
  schema: JsonSchema,
  name: string,
  resolve: Resolve,
  seen: Set<string> = new Set(),
): JsonSchema | undefined {
  const properties = schema.properties ?? {}
  if (Object.hasOwn(properties, name)) return properties[name]
  const branches = [...(schema.allOf ?? [])]
  if (typeof schema.$ref === 'string' && !seen.has(schema.$ref)) {
    seen.add(schema.$ref)
    branches.push(resolve(schema.$ref) ?? {})
  }
  for (const branch of branches) {
    const found = propertyOf(branch, name, resolve, seen)
    if (found) return found
  }
  return undefined
}

/** The first that can be made. The others are not tried: in circles there are too many. */
function firstOf(branches: readonly JsonSchema[], make: (branch: JsonSchema) => Made): Made {
  for (const branch of branches) {
    const made = make(branch)
    if (made !== nothing) return made
  }
  return nothing
}

const isRecord = (value: unknown): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function shownValue({
  examples,
  const: only,
  default: usual,
  enum: values,
}: JsonSchema): Json | undefined {
  if (only !== undefined) return only as Json
  const [example] = Array.isArray(examples) ? examples : []
  if (example !== undefined) return example as Json
  if (usual !== undefined && usual !== null && !Array.isArray(values)) return usual as Json
  return Array.isArray(values)
    ? ((values.find((value) => value !== null) ?? values[0]) as Json)
    : undefined
}

function makeTyped(schema: JsonSchema, making: Making, depth: number): Made {
  const types = [schema.type].flat()
  const type = types.find((name) => name !== 'null') ?? types[0]
  if (type === 'object' || (type === undefined && schema.properties))
    return makeObject(schema, making, depth)
  if (type === 'array') return makeArray(schema, making, depth)
  if (type === 'integer' || type === 'number') return makeNumber(schema, type === 'integer')
  if (type === 'boolean') return true
  if (type === 'null') return null
  return makeText(schema)
}

function makeObject(schema: JsonSchema, making: Making, depth: number): Made {
  const properties = schema.properties ?? {}
  const made: Record<string, Json> = Object.create(null)
  for (const name of schema.required ?? []) {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (own === undefined && making.isBranch) continue
    const value = make(own ?? {}, { ...making, isBranch: false }, depth + 1)
    if (value === nothing) return nothing
    made[name] = value
  }
  const further = schema.additionalProperties
  for (const name of Object.keys(properties)) {
    if (Object.keys(made).length >= Number(schema.minProperties ?? 0)) break
    const value = make(properties[name] ?? {}, making, depth + 1)
    if (value !== nothing) made[name] = value
  }
  for (
    let count = 1;
    Object.keys(made).length < Math.min(Number(schema.minProperties ?? 0), itemsMax);
    count++
  ) {
    const value = make(typeof further === 'object' ? further : {}, making, depth + 1)
    if (value === nothing) return nothing
    made[`key${count}`] = value
  }
  return made
}

const itemsMax = 100

function makeArray(schema: JsonSchema, making: Making, depth: number): Made {
  const count = Math.min(Number(schema.minItems ?? 0), itemsMax)
  const fixed = schema.prefixItems ?? []
  const made = Array.from({ length: count }, (_, index) =>
    make(fixed[index] ?? schema.items ?? {}, making, depth + 1),
  )
  return made.includes(nothing) ? nothing : (made as Json[])
}

function makeNumber(schema: JsonSchema, isWhole: boolean): Made {
  const step = Number(schema.multipleOf ?? 0)
  const unit = step > 0 ? step : 1
  const lowest = Number(schema.minimum ?? schema.exclusiveMinimum ?? 1)
  const highest = Number(schema.maximum ?? schema.exclusiveMaximum ?? Number.MAX_SAFE_INTEGER)
  const from =
    schema.minimum === undefined && schema.exclusiveMinimum === undefined && highest < 1
      ? highest
      : lowest
  const isOpenBelow = schema.exclusiveMinimum !== undefined
  const rounded = Math.ceil(from / unit) * unit
  const value = isOpenBelow && rounded <= from ? rounded + unit : rounded
  if (value > highest && !isWhole) return (from + highest) / 2
  return value > highest ? Math.floor(highest / unit) * unit : value
}

const formatted: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  uuid: '00000000-0000-4000-8000-000000000000',
  byte: 'ZXhhbXBsZQ==',
  binary: 'ZXhhbXBsZQ==',
}
/** Tried in turn for a pattern. */
const candidates = [
  'a',
  'A',
  '1',
  'abc',
  'ABC',
  'US',
  'en',
  'en-US',
  'USD',
  '2026-01-31',
  '12:00',
  '#ffffff',
  '1.0',
]

function makeText(schema: JsonSchema): Json {
  const format = String(schema.format ?? '')
  const usual = Object.hasOwn(formatted, format) ? formatted[format] : undefined
  if (typeof schema.pattern === 'string') {
    const pattern = new RegExp(schema.pattern, 'u')
    const lengths = [1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 16, 18, 20, 24, 26, 32, 36, 40, 64]
    const repeated = ['1', 'a', 'A'].flatMap((letter) =>
      lengths.map((length) => letter.repeat(length)),
    )
    const all = [...(usual ? [usual] : []), ...candidates, ...Object.values(formatted), ...repeated]
    const match = all.find((text) => pattern.test(text) && fitsLength(text, schema))
    if (match !== undefined) return match
  }
  if (usual !== undefined) return usual
  const shortest = Number(schema.minLength ?? 1)
  const longest = Number(schema.maxLength ?? Number.MAX_SAFE_INTEGER)
  return 'example'.padEnd(Math.min(shortest, textCharactersMax), 'e').slice(0, Math.max(longest, 0))
}

const textCharactersMax = 10_000

const fitsLength = (text: string, { minLength, maxLength }: JsonSchema) =>
  text.length >= Number(minLength ?? 0) &&
  text.length <= Number(maxLength ?? Number.MAX_SAFE_INTEGER)
