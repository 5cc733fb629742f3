// Checks values against the schemas of a vendor's OpenAPI document, and creates example values.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { UntypedJson } from '#core/replies/untyped-json.ts'

export type Schema = UntypedJson

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))

export const deref = (document: Schema, schema: Schema): Schema =>
  schema?.$ref === undefined
    ? schema
    : deref(
        document,
        schema.$ref
          .slice(2)
          .split('/')
          .reduce((node: Schema, key: string) => node[key], document),
      )

/** The schema with references resolved and every object closed, so that a field the vendor does not name is refused. */
function closed(document: Schema, reference: Schema, open = false): Schema {
  const { nullable, ...schema } = deref(document, reference)
  const isObject = schema.properties !== undefined || schema.allOf !== undefined
  return {
    ...schema,
    ...(nullable && schema.type && { type: [schema.type, 'null'] }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, value]) => [key, closed(document, value)]),
      ),
    }),
    ...(schema.items && { items: closed(document, schema.items) }),
    ...(schema.allOf && {
      allOf: schema.allOf.map((part: Schema) => closed(document, part, true)),
    }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((part: Schema) => closed(document, part)) }),
    ...(schema.additionalProperties?.anyOf && {
      additionalProperties: closed(document, schema.additionalProperties),
    }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map((part: Schema) => closed(document, part)) }),
    ...(isObject && !open && { unevaluatedProperties: false }),
  }
}

/** A value from the document's own examples. */
export function sample(document: Schema, reference: Schema, depth = 0): unknown {
  const schema = deref(document, reference)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part: Schema) => sample(document, part, depth)))
  if (schema.properties) {
    const fields = Object.entries<Schema>(schema.properties).filter(
      ([key]) => depth < 3 || key === 'id',
    )
    return Object.fromEntries(
      fields.map(([key, value]) => [key, sample(document, value, depth + 1)]),
    )
  }
  if (schema.example !== undefined) return schema.example
  if (schema.enum) return schema.enum[0]
  if (schema.oneOf) return sample(document, schema.oneOf[0], depth + 1)
  if (schema.type === 'array') return depth < 3 ? [sample(document, schema.items, depth + 1)] : []
  return { string: 'text', object: {}, number: 1, integer: 1, boolean: true }[
    [schema.type].flat()[0] as string
  ]
}

/** The violations of the document by a value. */
export const objections = (document: Schema, schema: Schema, value: unknown): string[] => {
  const validate = ajv.compile(closed(document, schema))
  return validate(value) ? [] : [ajv.errorsText(validate.errors)]
}

/** The violations of the document by a query: unknown names, invalid values, and missing parameters. */
export function queryObjections(
  document: Schema,
  parameters: readonly Schema[],
  query: URLSearchParams,
): string[] {
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const strangers = [...query.keys()].filter((key) => known.every(({ name }) => name !== key))
  const missing = known.filter(({ name, required }) => required && !query.has(name))
  const unfit = known.flatMap(({ name, schema }) => {
    const text = query.get(name)
    if (text === null) return []
    const scalar = /integer|number|boolean/.test(String(deref(document, schema).type))
    return objections(document, schema, scalar ? JSON.parse(text) : text)
  })
  return [
    ...strangers.map((name) => `There is no query parameter ${name}.`),
    ...missing.map(({ name }) => `The query parameter ${name} is missing.`),
    ...unfit,
  ]
}
