// The fields of answers say what they mean: in their action, or by a name that means the same everywhere.
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { outputSchemaOf } from '#core/catalog.ts'
import { describeFields, fieldMeanings } from '#core/replies/field-meanings.ts'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Every field of a schema, at any depth. */
function fieldsOf(schema: unknown): { name: string; description: string | undefined }[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsOf)
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, ...keywords } = schema as Schema
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      { name, description: property.description },
      ...fieldsOf(property),
    ]),
    ...fieldsOf(Object.values(keywords)),
  ]
}

const fields = providers.flatMap(({ actions }) =>
  actions.flatMap((action) => fieldsOf(outputSchemaOf(action))),
)

test('four of five fields of answers are described', () => {
  const described = fields.filter(({ description }) => description !== undefined)
  expect(described.length / fields.length).toBeGreaterThanOrEqual(0.8)
})

test('each meaning is a sentence, and some field has it', () => {
  const used = new Set(fields.map(({ description }) => description))
  for (const [name, meaning] of Object.entries(fieldMeanings)) {
    expect(meaning, name).toMatch(/^[A-Z].*\.$|: .*\.?$/)
    expect(used.has(meaning), name).toBe(true)
  }
})

test('a field’s own description stays, and values of the data are left alone', () => {
  const schema = {
    type: 'object',
    properties: {
      url: { type: 'string', description: 'Address of the map.' },
      rows: { type: 'array', items: { properties: { title: { type: 'string' } } } },
      properties: { type: 'object', properties: { odd: { type: 'string' } } },
    },
    default: { properties: { url: {} } },
  }
  expect(describeFields(schema)).toEqual({
    type: 'object',
    properties: {
      url: { type: 'string', description: 'Address of the map.' },
      rows: {
        type: 'array',
        description: fieldMeanings.rows,
        items: { properties: { title: { type: 'string', description: 'Its title.' } } },
      },
      properties: { type: 'object', properties: { odd: { type: 'string' } } },
    },
    default: { properties: { url: {} } },
  })
})
