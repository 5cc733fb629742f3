import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAttributes } from './scan.ts'

const read = (attributes: string) => Object.fromEntries(readAttributes(attributes))

test('values stand in quotes, without quotes, or not at all', () => {
  expect(read(` id="a b" LANG='c"d' width = 3 hidden href=/x/y`)).toEqual({
    id: 'a b',
    lang: 'c"d',
    width: '3',
    hidden: '',
    href: '/x/y',
  })
})

test('the first of two attributes with one name counts', () => {
  expect(read(' id=a ID=b')).toEqual({ id: 'a' })
})

test('a quote without an end ends no other attribute', () => {
  expect(read(` title="x id=a`)).toEqual({ title: '', x: '', id: 'a' })
})

test('any text is read as by the expression that describes attributes', () => {
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g
  const unit = fc.constantFrom('a', 'B', '=', '"', "'", ' ', '\u00a0', '/', '<', '>', '\n')
  fc.assert(
    fc.property(fc.string({ unit, minLength: 2, maxLength: 20 }), (text) => {
      const expected = new Map<string, string>()
      for (const [, name = '', double, single, bare] of text.matchAll(pattern))
        if (!expected.has(name.toLowerCase()))
          expected.set(name.toLowerCase(), double ?? single ?? bare ?? '')
      expect([...readAttributes(text)]).toEqual([...expected])
    }),
    { numRuns: 1_000 },
  )
})
