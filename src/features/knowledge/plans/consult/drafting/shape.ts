// Gives a value the form that a parameter's JSON Schema asks for.
import type { FieldSchema } from '../../../values/field.ts'

/** Undefined if no value of this schema is a text, a list of texts, or the number that the text says. */
export function shapeTexts(schema: FieldSchema, values: readonly string[]): unknown {
  const [first] = values
  if (first === undefined) return undefined
  const inTurn = schema.anyOf ?? []
  const several = values.length > 1 ? inTurn.filter(({ type }) => type === 'array') : []
  for (const each of [...several, ...inTurn]) {
    const shaped = shapeTexts(each, values)
    if (shaped !== undefined) return shaped
  }
  if (schema.type === 'string') return first.slice(0, schema.maxLength ?? first.length)
  if (schema.type === 'integer') return /^\d{1,15}$/.test(first) ? Number(first) : undefined
  if (schema.type === 'number')
    return /^-?\d{1,9}(?:\.\d+)?$/.test(first) ? Number(first) : undefined
  if (schema.type !== 'array' || schema.items === undefined) return undefined
  const items = values.slice(0, schema.maxItems ?? values.length)
  if (schema.items.type === 'string') return items
  const { properties } = schema.items
  const named = items.map((value) => nameOf(value, properties))
  return named.includes(undefined)
    ? undefined
    : items.map((value, at) => ({ [named[at] as string]: value }))
}

/** The property that takes a value. A name is neither an address nor a domain. */
function nameOf(value: string, properties: FieldSchema['properties'] = {}): string | undefined {
  const names = /^https?:|\.\p{L}{2,}/u.test(value) ? ['url', 'domain'] : ['url', 'name']
  return names.find((name) => properties[name] !== undefined)
}

export interface ValueSource {
  readonly step: string
  readonly list?: string | undefined
  readonly at: string
}

const listedMax = 5

/** A reference to the value of an earlier step, or to `count` of them if the parameter takes so many. */
export function shapeReference(
  { type, items, maxItems = listedMax }: FieldSchema,
  { step, list, at }: ValueSource,
  count = listedMax,
): unknown {
  const one = { $step: step, pointer: list === undefined ? at : `${list}/0${at}` }
  if (type !== 'array') return one
  if (items?.properties?.url !== undefined) return [{ url: one }]
  if (list === undefined) return [one]
  return { $step: step, pointer: list, each: at, first: Math.min(count, maxItems) }
}

/** Whether a value may be taken from the action's example without changing what the caller asked for. */
export function isSetting(
  name: string,
  { type, enum: values, items, anyOf = [] }: FieldSchema,
): boolean {
  if (name === 'model' || values !== undefined) return true
  if (type === 'integer') return /^(limit|max_)/.test(name)
  if (type === 'array') return items?.enum !== undefined
  return anyOf.length > 0 && anyOf.every((each) => isSetting(name, each))
}
