import { expect, test } from 'vitest'
import { z } from '#core/action.ts'
import { canBe, isNowhere, namedFields, placeIn, typesAt } from './types.ts'

const schema = z.toJSONSchema(
  z.object({
    name: z.string(),
    count: z.int(),
    rows: z.array(z.object({ url: z.url().nullable() })),
    either: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
    pair: z.tuple([z.string(), z.number()]),
    kind: z.enum(['x', 'y']),
    any: z.unknown(),
    open: z.looseObject({ known: z.boolean() }),
  }),
  { io: 'output' },
)

const typesIn = (...path: (string | number)[]) => {
  const types = typesAt(placeIn(schema, path))
  return types === undefined ? 'any' : [...types].toSorted()
}

test.each([
  ['a field', ['name'], ['string']],
  ['a whole number, which is a number', ['count'], ['number']],
  ['a field of the items of a list', ['rows', 3, 'url'], ['null', 'string']],
  ['a field of one of several forms', ['either', 'b'], ['number']],
  ['an item of a list of fixed length, which may be of any type', ['pair', 0], 'any'],
  ['one of some texts', ['kind'], ['string']],
  ['a value without a type', ['any', 'deep', 'inside'], 'any'],
  ['a named field of an open object', ['open', 'known'], ['boolean']],
  ['another field of an open object', ['open', 'other'], 'any'],
] as const)('%s has the types that its schema says', (_title, path, types) => {
  expect(typesIn(...path)).toEqual(types)
})

test.each([
  ['of a closed object', ['nothing']],
  ['of a text', ['name', 'length']],
  ['that no form of an object has', ['either', 'c']],
])('a field %s is nowhere', (_title, path) => {
  expect(isNowhere(placeIn(schema, path))).toBe(true)
})

test.each<[string, z.ZodType, readonly string[] | undefined]>([
  ['those of an open object', z.looseObject({ a: z.string(), b: z.string() }), ['a', 'b']],
  [
    'those of all forms',
    z.union([z.object({ a: z.string() }), z.object({ b: z.int() })]),
    ['a', 'b'],
  ],
  ['free without names', z.looseObject({}), undefined],
  ['free in one form', z.union([z.object({ a: z.string() }), z.looseObject({})]), undefined],
  ['free as a map', z.record(z.string(), z.int()), undefined],
  ['free where others have a type', z.object({ a: z.int() }).catchall(z.int()), undefined],
  ['free without a schema', z.unknown(), undefined],
])('the named fields of an answer are %s', (_title, of, fields) => {
  expect(namedFields(z.toJSONSchema(of, { io: 'output' }))).toEqual(fields)
})

test('a schema that refers to itself is followed as deep as the path', () => {
  const tree = {
    type: 'object',
    additionalProperties: false,
    properties: { child: { $ref: '#' }, leaf: { $ref: '#/$defs/leaf' } },
    $defs: { leaf: { type: 'boolean' } },
  }
  expect([...(typesAt(placeIn(tree, ['child', 'child', 'leaf'])) ?? [])]).toEqual(['boolean'])
  expect(isNowhere(placeIn(tree, ['child', 'other']))).toBe(true)
})

test('values fit unless no type of theirs is taken', () => {
  const text = new Set(['string'])
  const textOrNothing = new Set(['string', 'null'])
  const number = new Set(['number'])
  expect(canBe(textOrNothing, text)).toBe(true)
  expect(canBe(number, textOrNothing)).toBe(false)
  expect(canBe(undefined, text)).toBe(true)
  expect(canBe(text, undefined)).toBe(true)
})
