import { expect, test } from 'vitest'
import type { Route } from './models.ts'
import { createRouteSpeed } from './route-speed.ts'

const route = (slug: string) => ({ slug, upstream: { name: 'lab' } }) as Route
const answered = { totalMs: 1_000, firstTokenMs: 100, completionTokens: 50 }

function setUp() {
  let now = 0
  const speed = createRouteSpeed({ clock: { now: () => now } })
  const after = (minutes: number) => {
    now += minutes * 60_000
  }
  return { ...speed, after }
}

test('percentiles are those of the latest answers', () => {
  const { note, of } = setUp()
  expect(of(route('a'))).toBeUndefined()
  for (let ms = 1_000; ms > 0; ms -= 1) note(route('a'), { ...answered, firstTokenMs: ms })
  // The latest 128 took 1 to 128 ms.
  expect(of(route('a'))).toEqual({
    latencyMs: { p50: 64, p75: 96, p90: 116, p99: 127 },
    tokensPerSecond: { p50: 50, p75: 50, p90: 50, p99: 50 },
    answers: 128,
  })
})

test('answers older than half an hour do not count', () => {
  const { note, of, after } = setUp()
  note(route('a'), { ...answered, firstTokenMs: 900 })
  after(20)
  note(route('a'), answered)
  after(20)
  expect(of(route('a'))).toMatchObject({ answers: 1, latencyMs: { p50: 100, p99: 100 } })
  after(20)
  expect(of(route('a'))).toBeUndefined()
})

test('a whole answer says nothing about the first token, and a short one nothing about throughput', () => {
  const { note, of } = setUp()
  note(route('a'), { ...answered, firstTokenMs: null })
  expect(of(route('a'))).toMatchObject({ latencyMs: undefined, tokensPerSecond: { p50: 50 } })
  note(route('b'), { ...answered, completionTokens: 3 })
  expect(of(route('b'))).toMatchObject({ latencyMs: { p50: 100 }, tokensPerSecond: undefined })
})

test('the route that was idle for longest makes room, so that memory is bounded', () => {
  const { note, of } = setUp()
  for (let number = 0; number < 2_001; number += 1) {
    note(route(`model-${number}`), answered)
    note(route('busy'), answered)
  }
  expect(of(route('busy'))).toMatchObject({ answers: 128 })
  expect(of(route('model-1'))).toBeUndefined()
  expect(of(route('model-2000'))).toMatchObject({ answers: 1 })
})
