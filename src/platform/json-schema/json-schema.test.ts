import { expect, test } from 'vitest'
import type { z } from 'zod'
import { describeIssues } from '#core/input/issues.ts'
import { inputSchema, schemaCompilerOf } from './json-schema.ts'

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

test('a caller who leaves out a field reads what to send', () => {
  const schema = {
    type: 'object',
    properties: { text: { type: 'string' }, count: { type: 'integer' }, any: {} },
    required: ['text', 'count', 'any'],
  }
  const { error } = inputSchema(schema, {}, schemaCompilerOf({}, { formats: true })).safeParse({})
  expect(describeIssues(error as z.ZodError).message).toBe(
    '"text" is missing. Send it as a string. "count" is missing. Send it as a whole number. "any" is missing. Send it.',
  )
})
