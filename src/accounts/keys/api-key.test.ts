import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateApiKey, isWellFormedApiKey, shownPrefix } from './api-key.ts'

test('keys are well formed and never the same', () => {
  const keys = Array.from({ length: 500 }, generateApiKey)
  for (const key of keys) expect(isWellFormedApiKey(key)).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})

test('one mistyped character is noticed', () => {
  const key = generateApiKey()
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: key.length - 1 }),
      fc.constantFrom(...'0123456789ABCxyz'),
      (place, character) => {
        const typed = key.slice(0, place) + character + key.slice(place + 1)
        expect(isWellFormedApiKey(typed)).toBe(typed === key)
      },
    ),
  )
})

test.each(['', 'tw_live_', 'sk_live_abc', 'tw_live_'.padEnd(44, '0'), `${'x'.repeat(1_000_000)}`])(
  '%.20s is no key',
  (text) => {
    expect(isWellFormedApiKey(text)).toBe(false)
  },
)

test('what is shown of a key says nothing about the rest', () => {
  const key = generateApiKey()
  expect(shownPrefix(key)).toHaveLength(12)
})
