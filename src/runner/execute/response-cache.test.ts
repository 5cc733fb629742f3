import { expect, test } from 'vitest'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { createResponseCache } from './response-cache.ts'

test('an answer is reused within its lifetime, for the same action and input only', () => {
  const { clock, set } = createVirtualClock()
  const cache = createResponseCache({ clock, bytesMax: 10_000 })
  cache.keep('a/b', { q: 1 }, '{"n":1}', 60)
  expect(cache.find('a/b', { q: 1 })).toBe('{"n":1}')
  expect(cache.find('a/b', { q: 2 })).toBeUndefined()
  expect(cache.find('a/c', { q: 1 })).toBeUndefined()
  set(clock.now() + 60_000)
  expect(cache.find('a/b', { q: 1 })).toBeUndefined()
})

test('beyond its limit in bytes the cache drops the least recently used answers, and stores none that is too large', () => {
  const { clock } = createVirtualClock()
  const cache = createResponseCache({ clock, bytesMax: 4_000 })
  const text = 'x'.repeat(200)
  for (let question = 0; question < 9; question += 1) cache.keep('a/b', question, text, 60)
  expect(cache.find('a/b', 0)).toBe(text)
  cache.keep('a/b', 9, text, 60)
  expect(cache.find('a/b', 0)).toBe(text)
  expect(cache.find('a/b', 1)).toBeUndefined()
  cache.keep('a/b', 'large', 'x'.repeat(2_000), 60)
  expect(cache.find('a/b', 'large')).toBeUndefined()
  expect(cache.find('a/b', 0)).toBe(text)
})
