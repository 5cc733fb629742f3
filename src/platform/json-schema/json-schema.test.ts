import { expect, test } from 'vitest'
import { schemaCompilerOf } from './json-schema.ts'

test('a field may be called as what each object inherits', () => {
  const compiler = schemaCompilerOf({}, { formats: true })
  const check = compiler.compile({
    type: 'object',
    properties: { constructor: { type: 'string' }, valueOf: { type: 'integer' } },
    required: ['valueOf'],
    additionalProperties: false,
  })
  expect(
    [{ valueOf: 1 }, {}, { valueOf: 1, constructor: 'Ferrari' }].map((value) => check(value)),
  ).toEqual([true, false, true])
})
