import { expect, test } from 'vitest'
import { costOfFailure, newProgress, type Pace } from './ending.ts'
import type { Route } from './routing/models.ts'
import { readChatRequest } from './surface/chat/request.ts'

const route = {
  slug: 'lab/one',
  price: { prompt: 1_000_000, completion: 4_000_000 },
  upstream: { name: 'lab' },
  upstreamModel: 'one',
} as unknown as Route
const askedAtMs = 1_000

/** The completion of a chat that is left so late, in tokens. */
function writtenTokens(
  afterMs: number,
  { tokensPerSecond, ...body }: { tokensPerSecond?: number; max_tokens?: number; n?: number } = {},
): number {
  const messages = [{ role: 'user', content: 'Hello' }]
  const chat = readChatRequest({ model: 'lab/one', messages, max_tokens: 5_000, ...body })
  const speeds = { p50: tokensPerSecond ?? 0, p75: 0, p90: 0, p99: 0 }
  const measured = { latencyMs: undefined, tokensPerSecond: speeds, answers: 1 }
  const pace: Pace = {
    clock: { now: () => askedAtMs + afterMs },
    speed: { of: () => (tokensPerSecond === undefined ? undefined : measured) },
  }
  const progress = { ...newProgress(), asked: { chat, route, atMs: askedAtMs } }
  const cost = costOfFailure({ ...progress, left: true }, pace) ?? 0
  return (cost - Math.floor(chat.promptBytes / 6)) / 4
}

test('a model that is left has written for as long as it was asked, at the speed of its route', () => {
  expect(writtenTokens(0)).toBe(0)
  expect(writtenTokens(3_000)).toBe(300)
  expect(writtenTokens(3_000, { tokensPerSecond: 20 })).toBe(60)
  expect(writtenTokens(3_000, { tokensPerSecond: 500 })).toBe(1_500)
  expect(writtenTokens(3_000, { n: 2 })).toBe(600)
})

test('it has written at most its limit, and nothing if the clock went back', () => {
  expect(writtenTokens(60_000, { max_tokens: 10 })).toBe(10)
  expect(writtenTokens(60_000, { max_tokens: 10, n: 2 })).toBe(20)
  expect(writtenTokens(-5_000)).toBe(0)
})

test('a failure that no caller caused by leaving costs what was noted of it', () => {
  const pace: Pace = { clock: { now: () => 0 }, speed: { of: () => undefined } }
  expect(costOfFailure({ ...newProgress(), left: true }, pace)).toBeUndefined()
  expect(costOfFailure({ ...newProgress(), failedMicros: 7, left: false }, pace)).toBe(7)
})
