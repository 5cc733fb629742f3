import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generateApiKey, readApiKey, shownPrefix } from './api-key.ts'

test('keys are well formed and unique', () => {
  const keys = Array.from({ length: 500 }, generateApiKey)
  for (const key of keys) expect(readApiKey(key)).toBeDefined()
  expect(new Set(keys).size).toBe(keys.length)
})

test('a key with one mistyped character is refused', () => {
  const key = generateApiKey()
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: key.length - 1 }),
      fc.constantFrom(...'0123456789ABCxyz'),
      (place, character) => {
        const typed = key.slice(0, place) + character + key.slice(place + 1)
        expect(readApiKey(typed) !== undefined).toBe(typed === key)
      },
    ),
  )
})

test.each(['', 'tw_live_', 'sk_live_abc', 'tw_live_'.padEnd(44, '0'), `${'x'.repeat(1_000_000)}`])(
  '%.20s is not a key',
  (text) => {
    expect(readApiKey(text)).toBeUndefined()
  },
)

test('the shown prefix of a key is short', () => {
  const key = generateApiKey()
  expect(shownPrefix(key)).toHaveLength(12)
})
