import { expect, test } from 'vitest'
import { createVirtualClock } from '#platform/virtual-clock.fixture.ts'
import { createAnswers } from './response-cache.ts'

test('an answer is good for its lifetime, for the same action and input only', () => {
  const { clock, set } = createVirtualClock()
  const answers = createAnswers({ clock, bytesMax: 10_000 })
  answers.keep('a/b', { q: 1 }, '{"n":1}', 60)
  expect(answers.find('a/b', { q: 1 })).toBe('{"n":1}')
  expect(answers.find('a/b', { q: 2 })).toBeUndefined()
  expect(answers.find('a/c', { q: 1 })).toBeUndefined()
  set(clock.now() + 60_000)
  expect(answers.find('a/b', { q: 1 })).toBeUndefined()
})

test('beyond the limit in bytes those go that were used longest ago, and nothing is kept that is too large', () => {
  const { clock } = createVirtualClock()
  const answers = createAnswers({ clock, bytesMax: 4_000 })
  const text = 'x'.repeat(200)
  for (let question = 0; question < 9; question += 1) answers.keep('a/b', question, text, 60)
  expect(answers.find('a/b', 0)).toBe(text)
  answers.keep('a/b', 9, text, 60)
  expect(answers.find('a/b', 0)).toBe(text)
  expect(answers.find('a/b', 1)).toBeUndefined()
  answers.keep('a/b', 'large', 'x'.repeat(2_000), 60)
  expect(answers.find('a/b', 'large')).toBeUndefined()
  expect(answers.find('a/b', 0)).toBe(text)
})
