// Finds what callers lose when a published schema changes. The contract of an action may only grow.

/** The part of JSON Schema that the catalog uses. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly [keyword: string]: unknown
}

export interface Contract {
  readonly input: Schema
  readonly output: Schema
  readonly price: unknown
}

/** One sentence for each input that is no longer accepted and each output that is no longer promised. */
export function findLosses(before: Contract, after: Contract): string[] {
  return [
    ...inputLosses(before.input, after.input, ''),
    ...outputLosses(before.output, after.output, ''),
  ]
}

const name = (place: string) => (place === '' ? 'The whole' : `"${place}"`)
const join = (place: string, key: string) => (place === '' ? key : `${place}.${key}`)
const show = (value: unknown) => JSON.stringify(value)

function typesOf(schema: Schema): readonly string[] {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.flatMap(typesOf))]
  if (schema.type !== undefined) return [schema.type].flat()
  if (schema.const !== undefined) return [typeof schema.const]
  return ['anything']
}

const valuesOf = (schema: Schema) =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const])

/** A bound, and whether a greater value is stricter. */
const bounds = {
  minimum: true,
  exclusiveMinimum: true,
  minLength: true,
  minItems: true,
  maximum: false,
  exclusiveMaximum: false,
  maxLength: false,
  maxItems: false,
} as const

function inputLosses(before: Schema, after: Schema, place: string): string[] {
  if (before.anyOf !== undefined || after.anyOf !== undefined) {
    const now = after.anyOf ?? [after]
    // Every form that was accepted must still be accepted by some current form.
    return (before.anyOf ?? [before]).flatMap((form) => {
      const losses = now.map((candidate) => inputLosses(form, candidate, place))
      return losses.some((list) => list.length === 0) ? [] : (losses[0] ?? [])
    })
  }
  const types = typesOf(after)
  const lostTypes = typesOf(before).filter(
    (type) =>
      !types.includes(type) &&
      !types.includes('anything') &&
      !(type === 'integer' && types.includes('number')),
  )
  const values = valuesOf(after)
  const known = before.properties ?? {}
  const shapes = after.properties ?? {}
  return [
    ...lostTypes.map((type) => `${name(place)} no longer takes the type ${type}.`),
    ...(values === undefined
      ? []
      : (valuesOf(before) ?? ['other values'])
          .filter((value) => !values.includes(value))
          .map((value) => `${name(place)} no longer takes ${show(value)}.`)),
    ...tightened(before, after, place),
    ...(after.required ?? [])
      .filter((key) => !before.required?.includes(key))
      .map((key) => `${name(join(place, key))} must be sent now.`),
    ...Object.entries(known).flatMap(([key, schema]) => {
      const shape = shapes[key]
      return shape === undefined
        ? [`${name(join(place, key))} is no longer taken.`]
        : inputLosses(schema, shape, join(place, key))
    }),
    ...(before.items !== undefined && after.items !== undefined
      ? inputLosses(before.items, after.items, `${place}[]`)
      : []),
  ]
}

function tightened(before: Schema, after: Schema, place: string): string[] {
  const limits = Object.entries(bounds).flatMap(([keyword, greaterIsTighter]) => {
    const now = after[keyword] as number | undefined
    const then = before[keyword] as number | undefined
    if (now === undefined || (then !== undefined && (greaterIsTighter ? now <= then : now >= then)))
      return []
    return [`${name(place)} has a tighter ${keyword}: ${now} instead of ${then ?? 'none'}.`]
  })
  const forms = ['pattern', 'format'].filter(
    (keyword) => after[keyword] !== undefined && after[keyword] !== before[keyword],
  )
  return [...limits, ...forms.map((keyword) => `${name(place)} has another ${keyword}.`)]
}

function outputLosses(before: Schema, after: Schema, place: string): string[] {
  if (before.anyOf !== undefined || after.anyOf !== undefined) {
    const then = before.anyOf ?? [before]
    // Every current form of the output must have been possible before.
    return (after.anyOf ?? [after]).flatMap((form) => {
      const losses = then.map((candidate) => outputLosses(candidate, form, place))
      return losses.some((list) => list.length === 0) ? [] : (losses[0] ?? [])
    })
  }
  const promised = typesOf(before)
  const newTypes = typesOf(after).filter(
    (type) =>
      !promised.includes(type) &&
      !promised.includes('anything') &&
      !(type === 'integer' && promised.includes('number')),
  )
  const shapes = after.properties ?? {}
  const elements = (schema: Schema) =>
    typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const entry = { before: elements(before), after: elements(after) }
  return [
    ...newTypes.map((type) => `${name(place)} may now be of the type ${type}.`),
    ...(valuesOf(before) ?? [])
      .filter((value) => !(valuesOf(after) ?? [value]).includes(value))
      .map((value) => `${name(place)} is never ${show(value)} any more.`),
    ...(before.required ?? [])
      .filter((key) => shapes[key] !== undefined && !after.required?.includes(key))
      .map((key) => `${name(join(place, key))} may now be absent.`),
    ...Object.entries(before.properties ?? {}).flatMap(([key, schema]) => {
      const shape = shapes[key]
      return shape === undefined
        ? [`${name(join(place, key))} is no longer promised.`]
        : outputLosses(schema, shape, join(place, key))
    }),
    ...(before.items !== undefined && after.items !== undefined
      ? outputLosses(before.items, after.items, `${place}[]`)
      : []),
    ...(entry.before !== undefined && entry.after !== undefined
      ? outputLosses(entry.before, entry.after, `${place}[]`)
      : []),
  ]
}
