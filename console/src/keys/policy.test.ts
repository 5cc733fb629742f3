import { expect, test } from 'vitest'
import { changesOf, noLimits, type Policy, policyOf, problemsOf, textsOfPolicy } from './policy.ts'

const limited: Policy = {
  name: 'robot',
  max_cents_per_call: 3,
  max_cents_per_day: 150,
  max_cents_per_month: null,
  actions: ['tollway/onescrape', 'files/*'],
  models: ['tollway/cheap', 'openai/*'],
  requests_per_minute: 60,
  tokens_per_minute: null,
  expires_at: new Date(2030, 0, 2, 3, 4, 59).toISOString(),
}

test('without texts a key has no limits', () => {
  expect(Object.values(policyOf(noLimits)).every((limit) => limit === null)).toBe(true)
})

test('limits are written as they are read', () => {
  const texts = textsOfPolicy(limited)
  expect(texts).toEqual({
    name: 'robot',
    call: '0.03',
    day: '1.50',
    month: '',
    actions: 'tollway/onescrape files/*',
    models: 'tollway/cheap openai/*',
    requests: '60',
    tokens: '',
    expires: '2030-01-02T03:04',
  })
  expect(policyOf(texts)).toEqual({
    ...limited,
    expires_at: new Date(2030, 0, 2, 3, 4).toISOString(),
  })
})

test('only what was written anew is sent, and an emptied text removes its limit', () => {
  const texts = textsOfPolicy(limited)
  expect(changesOf(texts, texts)).toEqual({})
  expect(changesOf(texts, { ...texts, day: '2', actions: ' ' })).toEqual({
    max_cents_per_day: 200,
    actions: null,
  })
})

test('a text that is not an amount is told apart from none', () => {
  expect(problemsOf({ ...noLimits, day: 'two' })).toEqual({
    day: 'Enter dollars, such as 25 or 0.50.',
  })
  expect(problemsOf(noLimits)).toEqual({})
})
