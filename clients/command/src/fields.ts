// The words of `--field value` become the body of a call, by the JSON Schema of the action.
import { inOurOptions } from './meant/options.ts'
import { didYouMean, nearest } from './meant/suggestions.ts'
import { givenAgain, ownOptions, type Parsed } from './parse.ts'
import { parseJson } from './parse-json.ts'
import { UsageError } from './usage-error.ts'
import type { FieldWords, Verb } from './verb.ts'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly contentEncoding?: string
  readonly additionalProperties?: unknown
}

export type Body = Readonly<Record<string, unknown>>

/** Throws UsageError for a field that the action does not have, and for a value of another type. */
export function readFields(
  { fieldWords, verb }: Pick<Parsed, 'fieldWords' | 'verb'>,
  schema: Schema,
  action: string,
): Body {
  const { properties = {} } = schema
  const body: Record<string, unknown> = {}
  const given = new Map<string, FieldWords[]>()
  for (const { name: written, values } of fieldWords) {
    const isDenied = fieldOf(properties, written) === undefined && written.startsWith('no-')
    const plain = isDenied ? written.slice('no-'.length) : written
    const name = requireField(schema, plain, { action, verb })
    if (isDenied) body[name] = false
    else given.set(name, [...(given.get(name) ?? []), { name: written, values }])
  }
  for (const [name, words] of given) body[name] = readField(name, words, properties[name] ?? {})
  return body
}

/** `max-items`, `max_items` and `maxItems` are the same field. */
const fieldOf = (properties: Readonly<Record<string, Schema>>, written: string) =>
  Object.keys(properties).find((name) => canonical(name) === canonical(written))

const canonical = (name: string) => name.replaceAll(/[-_]/g, '').toLowerCase()

/** The name of a field as the action has it. Throws UsageError, with the option of the verb that may be meant. */
export function requireField(
  { properties = {} }: Schema,
  written: string,
  { action, verb }: { readonly action: string; readonly verb?: Verb },
): string {
  const found = fieldOf(properties, written)
  if (found !== undefined) return found
  const known = Object.keys(properties)
  const suggestion = nearest(written, known)
  const takes =
    known.length === 0 ? 'It takes none.' : `It takes ${known.map(optionOf).join(', ')}.`
  const meant =
    suggestion === undefined
      ? verb && inOurOptions(written, ownOptions(verb))
      : didYouMean(optionOf(suggestion)).trim()
  const hint = meant === undefined ? '' : ` ${meant.replace('ACTION', action)}`
  throw new UsageError(`${action} has no field ${written}.${hint} ${takes}`)
}

/** The verbs that run actions have an option of their own for the ceiling. */
export const optionOf = (field: string): string =>
  field === 'max_cost_cents' ? '--max-cost' : `--${field}`

function readField(name: string, words: readonly FieldWords[], schema: Schema): unknown {
  const types = typesOf(schema)
  const values = words.flatMap((each) => each.values)
  const [first, ...others] = values
  if (first === undefined) {
    if (types.has('boolean')) return true
    throw new UsageError(`--${name} needs a value: --${name} VALUE.`)
  }
  if (types.has('array') && (others.length > 0 || !types.has('string'))) {
    const whole = others.length === 0 ? parseJson(first) : undefined
    if (Array.isArray(whole)) return whole
    const items = itemsOf(schema)
    return values.map((value) => readValue(name, value, items))
  }
  if (others.length > 0 && words.length > 1) throw new UsageError(givenAgain(name, words.length))
  if (others.length > 0)
    throw new UsageError(
      `--${name} takes one value. Quote text that has spaces: --${name} "${values.join(' ')}".`,
    )
  return readValue(name, first, schema)
}

function readValue(name: string, text: string, schema: Schema): unknown {
  const types = typesOf(schema)
  const parsed = parseJson(text)
  const fits = parsed !== undefined && types.has(typeOf(parsed))
  // "007" is a text where texts are allowed, and {"a":1} is an object where objects are.
  if (fits && !(types.has('string') && typeof parsed !== 'object')) return parsed
  if (types.has('string') || types.size === 0) return types.size === 0 ? (parsed ?? text) : text
  throw new UsageError(
    `--${name} must be ${[...types].map(named).join(' or ')}, and not "${text}".`,
  )
}

const names: Readonly<Record<string, string>> = {
  object: 'a JSON object',
  array: 'a JSON list',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
}
const named = (type: string) => names[type] ?? type

/** Empty where the schema allows everything. */
export function typesOf(schema: Schema): Set<string> {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined)
    return new Set(alternatives.flatMap((inner) => [...typesOf(inner)]))
  if (schema.type !== undefined)
    return new Set(
      [schema.type].flat().flatMap((type) => (type === 'number' ? ['number', 'integer'] : [type])),
    )
  const known = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return new Set(known.map(typeOf))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function itemsOf(schema: Schema): Schema {
  if (schema.items !== undefined) return schema.items
  const lists = (schema.anyOf ?? schema.oneOf ?? []).filter((inner) => typesOf(inner).has('array'))
  return lists[0] === undefined ? {} : itemsOf(lists[0])
}
