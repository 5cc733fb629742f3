// Which answers fit their description, for any JSON value.
import { expect, test } from 'vitest'
import { outputSchema, schemaCompilerOf } from '#platform/json-schema/json-schema.ts'
import { jsonIn, readAnswer } from './answer.ts'
import { dataSchemaOf, valueSchemaOf } from './answer-schema.ts'

const definitions = {
  Pet: { type: 'object', properties: { name: { type: 'string' } } },
  Untyped: { properties: { name: { type: 'string' } } },
  Name: { type: 'string' },
}
const pet = { $ref: '#/$defs/Pet' }
const untyped = { $ref: '#/$defs/Untyped' }
const name = { $ref: '#/$defs/Name' }
const json = ['application/json']

/** Whether an answer with this body is delivered. */
function fits(schema: object, value: unknown, types = json): boolean {
  const headers = { 'content-type': 'application/json' }
  const body = Buffer.from(JSON.stringify(value))
  const data = readAnswer({ status: 200, headers, body } as never, 0, true)
  const compiler = schemaCompilerOf(definitions, { formats: false })
  const described = { ...schema }
  const output = outputSchema(dataSchemaOf(described, types, definitions), definitions, compiler, {
    schema: valueSchemaOf(described, types, definitions),
    valueIn: jsonIn,
  })
  return output.safeParse(data).success
}

test.each([
  [{ type: 'object' }, [{}, { a: 1 }], [null, 'x', 1, true, []]],
  [pet, [{}, { name: 'rex' }], [null, 'x', { name: 1 }, []]],
  [untyped, [{}, []], [null, 'x', 7]],
  [{ anyOf: [untyped, { type: 'string' }] }, [{}, 'x'], [null, 7]],
  [{ allOf: [untyped, pet] }, [{ name: 'rex' }], [null, 'x']],
  [{ type: ['object', 'null'], required: ['a'] }, [null, { a: 1 }], [{}, 'x']],
  [{ type: 'string' }, ['x'], [null, 1, {}, { value: 'x' }]],
  [name, ['x', ''], [null, 1, { value: 'x' }]],
  [{ enum: ['a', 'b'] }, ['a'], ['c', null]],
  [{ anyOf: [{ type: 'integer' }, pet] }, [1, {}], ['x', null]],
  [{}, [null, 'x', {}, []], []],
])('the description %j is that of some answers, and not of others', (schema, fitting, others) => {
  for (const value of fitting) expect([value, fits(schema, value)]).toEqual([value, true])
  for (const value of others) expect([value, fits(schema, value)]).toEqual([value, false])
})

test('a description of any content is held against JSON unless it means a text', () => {
  expect(fits({ type: 'object' }, null, ['*/*'])).toBe(false)
  expect(fits({ type: 'string' }, { a: 1 }, ['*/*'])).toBe(true)
})

test.each([
  [pet, pet],
  [name, { type: 'object', properties: { value: name }, required: ['value'] }],
  [{ type: 'array' }, { type: 'array' }],
])('the data of %j is published as %j', (schema, data) => {
  expect(dataSchemaOf(schema, json, definitions)).toEqual(data)
})
