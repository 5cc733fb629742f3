import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestRequest, readIdempotencyKey } from './idempotency.ts'

test('the order of fields does not count, at any depth', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
      const reversed = Object.fromEntries(Object.entries(body).reverse())
      expect(digestRequest(reversed)).toEqual(digestRequest(body))
    }),
  )
  expect(digestRequest({ a: { b: 1, c: 2 } })).toEqual(digestRequest({ a: { c: 2, b: 1 } }))
})

test.each([
  [{ a: 1 }, { a: 2 }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: '1' }, { a: 1 }],
  [{}, { a: null }],
])('%j and %j are different requests', (one, other) =>
  expect(digestRequest(one)).not.toEqual(digestRequest(other)),
)

test.each(['a'.repeat(256), '', 'two words', 'schlüssel', 'tab\t'])(
  'the key %j is refused',
  (key) => {
    expect(() => readIdempotencyKey(key)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  },
)

test('a UUID is accepted, and a missing header means no key', () => {
  expect(readIdempotencyKey('0b7e5a1e-2f7c-4ad1-9f0e-4a5b6c7d8e9f')).toBeDefined()
  expect(readIdempotencyKey(undefined)).toBeUndefined()
})
